import './without-eval';

import { render } from 'preact';

import { Chat } from './chat';
import { startPreferences } from './preferences';
import { createShop } from './shop';
import { App } from './ui/app';
import './ui/style/index.css';

const backend = document.querySelector<HTMLMetaElement>('meta[name="shop-backend"]')?.content;
const preferences = startPreferences();
const chat = new Chat({
  shop: createShop(backend ?? '/shop'),
  locale: () => preferences.state.locale,
});

const root = document.getElementById('app');
if (root) render(<App chat={chat} preferences={preferences} />, root);
