import './theme.css';
import './figure/figure.css';
import './report/print.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { LiveSource } from './data/live';
import { embedded } from './report/embedded';

const place = document.getElementById('app');
if (place) {
  // A report has the same in plain tables, for readers without scripts.
  place.replaceChildren();
  mount(App, { target: place, props: { source: embedded(document) ?? new LiveSource() } });
}
