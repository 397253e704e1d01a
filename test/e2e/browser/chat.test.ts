/** The chat page in a real browser, on the platform of `npm start`: tasks come and go, the answer stays. */
import { startBrowser } from './browser';
import type { TestBrowser } from './browser';
import { ChatPage } from './chat-page';
import { findChromium } from './chromium';
import { seriousFaults } from './serious-faults';
import { startStage } from './stage';
import type { Stage } from './stage';

const SIZES = [
  ['desktop', { viewport: { width: 1280, height: 800 }, locale: 'ja-JP' }],
  [
    'phone',
    {
      viewport: { width: 390, height: 844 },
      deviceScaleFactor: 2,
      isMobile: true,
      hasTouch: true,
      locale: 'ja-JP',
      colorScheme: 'dark',
    },
  ],
] as const;

const chromium = findChromium();
const suite = chromium === undefined ? describe.skip.each(SIZES) : describe.each(SIZES);

let stage: Stage;

beforeAll(async () => {
  if (chromium === undefined) return;
  stage = await startStage();
  stage.slowly();
}, 180_000);

afterAll(async () => {
  if (chromium !== undefined) await stage.close();
}, 60_000);

suite('on a %s', (size, options) => {
  let browser: TestBrowser;
  let chat: ChatPage;

  beforeAll(async () => {
    browser = await startBrowser(chromium ?? '', { ...options });
    chat = new ChatPage(browser.page, size);
    await chat.open(stage.url);
  }, 60_000);

  afterAll(() => browser.close(), 30_000);

  test('the welcome has no serious fault for anybody who reads it', async () => {
    await chat.picture('welcome');
    expect(await seriousFaults(chat.page)).toEqual([]);
  }, 60_000);

  test('Enter does not send while Japanese is being composed', async () => {
    const input = await browser.page.context().newCDPSession(browser.page);
    await browser.page.locator('textarea').focus();
    await input.send('Input.imeSetComposition', {
      text: 'しんかん',
      selectionStart: 4,
      selectionEnd: 4,
    });
    await browser.page.locator('textarea').dispatchEvent('keydown', {
      key: 'Enter',
      isComposing: true,
    });
    expect(await browser.page.locator('.turn').count()).toBe(0);
    await input.send('Input.insertText', { text: '新刊' });
    expect(await browser.page.locator('textarea').inputValue()).toBe('新刊');
    await browser.page.locator('textarea').fill('');
  }, 60_000);

  test('a question in Japanese is answered as one watches', async () => {
    await chat.ask('夜にゆっくり読める静かな作品を教えてください');
    await chat.heard(1);
    const early = await chat.newest();
    await chat.picture('streaming');
    await chat.heard(early.text.length + 10);
    const { text } = await chat.complete();
    expect(text).toMatch(/\p{Script=Hiragana}/u);
    expect(text).toBe(stage.lastAnswer());
    expect(text.startsWith(early.text)).toBe(true);
    await chat.picture('complete');
  }, 90_000);

  test('a graceful restart of the serving task leaves neither gap nor repeat', async () => {
    await stage.whole();
    await chat.ask('冒険の漫画で、完結しているものはありますか？');
    await chat.heard(12);
    await stage.stopServingTask();
    const { text, restarted } = await chat.complete();
    expect(text).toBe(stage.lastAnswer());
    expect(restarted).toBe(false);
  }, 120_000);

  test('after kill -9 the page comes back by itself, says so, and ends with one whole answer', async () => {
    await stage.whole();
    await chat.ask('猫が出てくる漫画のおすすめを教えてください');
    await chat.heard(12);
    await stage.killServingTask();
    await chat.restarted();
    const { text, restarted } = await chat.complete();
    expect(text).toBe(stage.lastAnswer());
    expect(restarted).toBe(true);
    await chat.picture('restarted');
  }, 120_000);

  test('stop ends an answer at once, and the next question is answered', async () => {
    await stage.whole();
    await chat.ask('長いお話で、家族みんなで読めるものは？');
    await chat.heard(8);
    await browser.page.locator('.go.stop').click();
    await chat.cancelled();
    await chat.ask('ありがとう。では短編集は？');
    expect((await chat.complete()).text).toBe(stage.lastAnswer());
  }, 120_000);

  test('a reload goes on where the tab was', async () => {
    await chat.ask('雨の日に読みたい一冊は？');
    await chat.heard(8);
    await browser.page.reload();
    const { text, restarted } = await chat.complete();
    expect(text).toBe(stage.lastAnswer());
    expect(restarted).toBe(false);
  }, 120_000);

  test('a new tab goes on with the conversation, until a new one is begun', async () => {
    const shown = await chat.shownTurns();
    const tab = new ChatPage(await browser.newTab(), `${size}-tab`);
    await tab.open(stage.url);
    await tab.page
      .locator('.turn')
      .nth(shown.length - 1)
      .waitFor();
    expect(await tab.shownTurns()).toEqual(shown);
    expect(await seriousFaults(tab.page)).toEqual([]);
    await tab.picture('recalled');
    await tab.ask('その続きは？');
    expect((await tab.complete()).text).toBe(stage.lastAnswer());
    expect(await tab.page.locator('.turn').count()).toBe(shown.length + 1);

    await tab.page.locator('header .tools button').first().click();
    await tab.page.locator('.welcome').waitFor();
    await tab.page.locator('.link.online').waitFor();
    await tab.page.close();
    const fresh = new ChatPage(await browser.newTab(), `${size}-fresh`);
    await fresh.open(stage.url);
    await fresh.page.locator('.welcome').waitFor();
    expect(await fresh.shownTurns()).toEqual([]);
    await fresh.page.close();
  }, 120_000);

  test('a question asked while the answer of a closed tab goes on waits for it, and both are there', async () => {
    const left = new ChatPage(await browser.newTab(), `${size}-left`);
    const next = new ChatPage(await browser.newTab(), `${size}-next`);
    await left.open(stage.url);
    await next.open(stage.url);
    await left.ask('猫の漫画と犬の漫画、どちらが多いですか？');
    await left.heard(4);
    await left.page.close();
    await next.ask('では鳥の漫画は？');
    await next.page.locator('.thinking', { hasText: '別の画面' }).waitFor();
    await next.picture('held');
    expect((await next.complete()).text).toBe(stage.lastAnswer());
    await next.page.locator('.turn').nth(1).waitFor();
    expect((await next.shownTurns()).map((turn) => turn.split('（')[0])).toEqual([
      '猫の漫画と犬の漫画、どちらが多いですか？',
      'では鳥の漫画は？',
    ]);
    await next.page.close();
  }, 120_000);

  test('the conversation has no serious fault either, in light and in dark', async () => {
    expect(await seriousFaults(chat.page)).toEqual([]);
    await browser.page.locator('header .tools button').last().click();
    await chat.picture('other-theme');
    expect(await seriousFaults(chat.page)).toEqual([]);
  }, 60_000);

  test('the page did not complain of anything', () => {
    expect(browser.complaints).toEqual([]);
  });
});
