// Who may read: nobody without the secret, and no other site.
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { serve, SHOP, type Served } from './fathom';

let served: Served;
beforeAll(async () => {
  served = await serve(SHOP);
});
afterAll(() => served.stop());

function asked(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<number> {
  const { hostname, port } = new URL(served.address);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, path, method, headers }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    sent.once('error', reject);
    sent.end();
  });
}

test('the address is this machine, with a secret in it', () => {
  expect(served.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/[\w-]{22,}\/$/);
});

test('no secret, no answer', async () => {
  expect(await asked('/')).toBe(404);
  expect(await asked('/api/overview')).toBe(404);
  expect(await asked(`/${'A'.repeat(22)}/api/overview`)).toBe(404);
});

test('other names and other sites are turned away', async () => {
  const { pathname, host } = new URL(served.address);
  const overview = `${pathname}api/overview`;
  expect(await asked(overview)).toBe(200);
  expect(await asked(overview, { host: 'evil.example' })).toBe(403);
  expect(await asked(overview, { host: `evil.example:${new URL(served.address).port}` })).toBe(403);
  expect(await asked(overview, { origin: 'http://evil.example' })).toBe(403);
  expect(await asked(overview, { origin: `http://${host}` })).toBe(200);
  expect(await asked(overview, { 'sec-fetch-site': 'cross-site' })).toBe(403);
});

test('there is no way to other files', async () => {
  const { pathname } = new URL(served.address);
  for (const path of ['../../etc/passwd', '..%2f..%2fetc%2fpasswd', 'api/../../../etc/passwd', 'manifest.json']) {
    expect(await asked(`${pathname}${path}`), path).toBe(404);
  }
  const series = `${pathname}api/series?run=${encodeURIComponent('../../etc')}&metric=passwd&columns=10`;
  expect(await asked(series)).toBeGreaterThanOrEqual(400);
});
