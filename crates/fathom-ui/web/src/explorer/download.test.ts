import { expect, it } from 'vitest';
import { fileName } from './download';

it('a file has a name that every system takes', () => {
  expect(fileName('fathom', 'jvm.gc.pause', 'run 3')).toBe('fathom-jvm.gc.pause-run_3');
  expect(fileName('fathom', '../../etc/passwd', '<img onerror=x>')).toBe('fathom-etc_passwd-img_onerror_x');
  expect(fileName('fathom', '...', 'Größe')).toBe('fathom-Größe');
  expect(fileName('a'.repeat(500)).length).toBe(120);
});
