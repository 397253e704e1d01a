/** What the page says of answers that go another way than they should: a real browser, and a chat by script. */
import { startBrowser } from './browser';
import type { TestBrowser } from './browser';
import { ChatPage } from './chat-page';
import { findChromium } from './chromium';
import { ScriptedChat } from './scripted-chat';
import { seriousFaults } from './serious-faults';

const chromium = findChromium();
const suite = chromium === undefined ? describe.skip : describe;

suite('an answer', () => {
  let browser: TestBrowser;
  let page: ChatPage;
  let chat: ScriptedChat;

  beforeEach(async () => {
    browser = await startBrowser(chromium ?? '', {
      viewport: { width: 390, height: 844 },
      locale: 'ja-JP',
    });
    chat = new ScriptedChat();
    await chat.serve(browser.page);
    page = new ChatPage(browser.page, 'state');
    await page.open(chat.url);
  }, 60_000);

  afterEach(async () => {
    const { complaints } = browser;
    await browser.close();
    expect(complaints).toEqual([]);
  }, 30_000);

  const again = () => browser.page.getByRole('button', { name: 'もう一度たずねる' });

  test.each([
    ['busy', '別の画面での回答が終わりしだい、お答えします'],
    ['overloaded', '混み合っています。空きができしだい、お答えします'],
  ] as const)(
    'that is refused as %s says what it waits for, and comes by itself',
    async (code, words) => {
      await page.ask('新刊は？');
      await chat.refuse(1, code, 600);
      await browser.page.locator('.thinking', { hasText: words }).waitFor();
      await page.picture(`held-${code}`);
      expect(await chat.message(2)).toEqual(await chat.message(1));
      await chat.accept(2);
      chat.say({ type: 'delta', text: 'ございます。' });
      chat.say({ type: 'done', finish: 'stop', intent: 'faq' });
      expect((await page.complete()).text).toBe('ございます。');
    },
    60_000,
  );

  test('that was waited for can be stopped', async () => {
    await page.ask('新刊は？');
    await chat.refuse(1, 'busy', 600);
    await browser.page.locator('.thinking', { hasText: '別の画面' }).waitFor();
    await browser.page.locator('.go.stop').click();
    await page.cancelled();
    await browser.page.waitForTimeout(1_200);
    expect(chat.heard).toHaveLength(1);
  }, 60_000);

  test('that failed is announced once, and can be asked for again when no other is open', async () => {
    await page.ask('新刊は？');
    await chat.accept(1);
    chat.say({ type: 'degraded', parts: ['model'], rung: 'apology', reason: 'upstream-failed' });
    chat.say({ type: 'error', code: 'upstream_failed', message: 'internal words' });
    await browser.page.locator('.answer.failed').waitFor();
    expect(await announced('回答を作成できませんでした。')).toBe(1);
    expect(await seriousFaults(browser.page)).toEqual([]);
    await page.picture('failed');

    await page.ask('在庫は？');
    await chat.accept(2);
    expect(await again().isDisabled()).toBe(true);
    chat.say({ type: 'done', finish: 'stop', intent: 'faq' });
    await page.complete();
    await again().click();
    expect((await chat.message(3)).text).toMatch(/^新刊は？/);
  }, 60_000);

  test('that ended without its reader is offered again', async () => {
    await page.ask('新刊は？');
    await chat.accept(1);
    chat.say({ type: 'delta', text: '途中まで' });
    chat.say({ type: 'done', finish: 'cancelled', intent: 'faq' });
    await page.cancelled();
    expect(await browser.page.locator('.turn').textContent()).toContain(
      'この回答は途中で終わりました',
    );
    expect(await seriousFaults(browser.page)).toEqual([]);
    await page.picture('broke-off');
    await again().click();
    expect((await chat.message(2)).clientMessageId).not.toBe(
      (await chat.message(1)).clientMessageId,
    );
  }, 60_000);

  test('that is less than it could be says so in the words of its reader', async () => {
    await page.ask('新刊は？');
    await chat.accept(1);
    const reason = 'spend-cap-reached';
    chat.say({ type: 'degraded', parts: ['limits'], rung: 'template', reason });
    chat.say({ type: 'delta', text: 'ご案内です。' });
    chat.say({ type: 'done', finish: 'stop', intent: 'faq' });
    await page.complete();
    await browser.page.locator('.degraded summary').click();
    expect(await browser.page.locator('.degraded').innerText()).toMatch(
      /定型のご案内[^]*あらかじめ用意したご案内です。[^]*ご利用枠の空き/,
    );
    expect(await seriousFaults(browser.page)).toEqual([]);
    await page.picture('degraded');
    await browser.page.getByRole('button', { name: 'English' }).click();
    await browser.page.locator('summary', { hasText: 'Standard answer' }).waitFor();
    expect(await browser.page.content()).not.toContain(reason);
  }, 60_000);

  /** How many of what a screen reader listens to say it. */
  function announced(words: string): Promise<number> {
    return browser.page
      .locator('[role=status], [role=alert], [aria-live=polite], [aria-live=assertive]')
      .filter({ hasText: words })
      .count();
  }
});
