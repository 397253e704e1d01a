import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

import type { Page } from 'playwright-core';

const PICTURES = join(__dirname, '../../../.reports/browser');
const PATIENCE_MS = 60_000;
const LOOK_MS = 30;

interface ShownAnswer {
  readonly state: string;
  readonly text: string;
  readonly restarted: boolean;
}

/** The chat as a person meets it. */
export class ChatPage {
  readonly page: Page;
  readonly #name: string;

  constructor(page: Page, name: string) {
    this.page = page;
    this.#name = name;
    page.setDefaultTimeout(PATIENCE_MS);
  }

  async open(url: string): Promise<void> {
    await this.page.goto(url);
    await this.page.locator('.link.online').waitFor();
  }

  /**
   * Asks, and sees the question stand there: until then the newest answer is that to the one before. In words of its own:
   * whoever asks the same as another page may be given that one's answer, already whole.
   */
  async ask(question: string): Promise<void> {
    const before = await this.page.locator('.turn').count();
    await this.page.locator('textarea').fill(`${question}（${this.#name}）`);
    await this.page.locator('textarea').press('Enter');
    await this.page.locator('.turn').nth(before).waitFor();
  }

  /** Resolves when so many characters of the newest answer are there. */
  async heard(characters: number): Promise<void> {
    const giveUpAtMs = performance.now() + PATIENCE_MS;
    for (;;) {
      const shown = await this.page.locator('.turn:last-of-type .prose').textContent();
      if ((shown ?? '').length >= characters) return;
      if (performance.now() > giveUpAtMs) throw new Error(`only this came: ${shown ?? ''}`);
      await pause(LOOK_MS);
    }
  }

  async complete(): Promise<ShownAnswer> {
    await this.#shows('.answer.complete');
    return this.newest();
  }

  /** Resolves when the newest answer says that it was begun anew. */
  restarted(): Promise<void> {
    return this.#shows('.restarted');
  }

  cancelled(): Promise<void> {
    return this.#shows('.answer.cancelled');
  }

  /** The newest answer as the page has put it together. */
  async newest(): Promise<ShownAnswer> {
    // A growing answer is written down now and then, and always when the page goes.
    await this.page.evaluate(`dispatchEvent(new Event('pagehide'))`);
    const kept = await this.page.evaluate<string | null>(
      `sessionStorage.getItem('matsuri.conversation')`,
    );
    const { conversation } = JSON.parse(kept ?? '{}') as {
      conversation: { turns: { answer: ShownAnswer }[] };
    };
    const answer = conversation.turns.at(-1)?.answer;
    if (answer === undefined) throw new Error('nothing was asked');
    return answer;
  }

  /** Waits for something of the newest turn; in vain, it says what is there instead. */
  async #shows(selector: string): Promise<void> {
    try {
      await this.page.locator(`.turn:last-of-type ${selector}`).waitFor();
    } catch (cause) {
      await this.picture('missed');
      const link = await this.page.locator('.link').getAttribute('class');
      const answer = JSON.stringify(await this.newest());
      throw new Error(`no ${selector}, but, with the line "${link ?? ''}": ${answer}`, { cause });
    }
  }

  /** Questions and answers as they can be read. */
  shownTurns(): Promise<string[]> {
    return this.page.evaluate<string[]>(
      `[...document.querySelectorAll('.turn')].map((turn) =>
        [...turn.querySelectorAll('.question, .prose')].map((it) => it.textContent).join('\\n'))`,
    );
  }

  async picture(moment: string): Promise<void> {
    mkdirSync(PICTURES, { recursive: true });
    await this.page.screenshot({ path: join(PICTURES, `${this.#name}-${moment}.png`) });
  }
}
