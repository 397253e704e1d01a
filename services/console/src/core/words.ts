import type { DEGRADATIONS, FALLBACK_RUNGS, FRAME_ERRORS } from '@matsuri/contract';

import type { Locale } from './outgoing';

type Rung = (typeof FALLBACK_RUNGS)[number];
type Part = (typeof DEGRADATIONS)[number];
type FrameError = (typeof FRAME_ERRORS)[number];

/** Everything the page says. */
export interface Words {
  readonly assistant: string;
  readonly tagline: string;
  readonly welcome: string;
  readonly welcomeHint: string;
  readonly starters: readonly string[];
  readonly transcript: string;
  readonly you: string;
  readonly placeholder: string;
  readonly messageLabel: string;
  readonly send: string;
  readonly stop: string;
  readonly stopping: string;
  readonly newConversation: string;
  readonly otherLanguage: string;
  readonly toLight: string;
  readonly toDark: string;
  readonly connection: Readonly<Record<'connecting' | 'online' | 'reconnecting', string>>;
  readonly recalling: string;
  readonly thinking: string;
  readonly restarting: string;
  readonly restarted: string;
  readonly cancelled: string;
  readonly cutShort: Readonly<Record<'length' | 'filtered', string>>;
  readonly answerReady: string;
  readonly sources: string;
  readonly sourceNumber: (number: number) => string;
  readonly tokens: (input: string, output: string) => string;
  readonly conversationCost: string;
  readonly reduced: string;
  readonly reducedParts: string;
  readonly rungs: Readonly<Record<Rung, string>>;
  readonly parts: Readonly<Record<Part, string>>;
  readonly errors: Readonly<Record<FrameError, string>>;
  readonly tryAgain: string;
  readonly enterHint: string;
  readonly copy: string;
  readonly copied: string;
  readonly toNewest: string;
}

const ja: Words = {
  assistant: 'マンガアシスト',
  tagline: '本の縁日、いつでも開店中',
  welcome: 'いらっしゃいませ',
  welcomeHint: '新刊、在庫、お届け、おすすめ。なんでもお尋ねください。',
  starters: [
    '今週の新刊でおすすめは？',
    '夜にゆっくり読める静かな作品を教えて',
    '注文した本はいつ届きますか',
    '返品の方法を知りたいです',
  ],
  transcript: '会話',
  you: 'あなた',
  placeholder: '作品名や気になることを入力',
  messageLabel: 'メッセージ',
  send: '送信',
  stop: '停止',
  stopping: '停止しています…',
  newConversation: '新しい会話',
  otherLanguage: 'English',
  toLight: '明るい表示にする',
  toDark: '暗い表示にする',
  connection: { connecting: '接続中…', online: '接続済み', reconnecting: '再接続しています…' },
  recalling: 'これまでの会話を読み込んでいます…',
  thinking: 'お調べしています',
  restarting: '回答が途切れました。最初からお答えし直しています…',
  restarted: '途中で途切れたため、最初からお答えし直しました',
  cancelled: 'ここで停止しました',
  cutShort: {
    length: '長さの上限に達したため、ここまでです',
    filtered: '内容の確認により、ここまでです',
  },
  answerReady: '回答が届きました。',
  sources: '参考にした作品',
  sourceNumber: (number) => `参考 ${number}`,
  tokens: (input, output) => `入力 ${input}・出力 ${output} トークン`,
  conversationCost: 'この会話',
  reduced: '簡易回答',
  reducedParts: '今回使えなかったもの',
  rungs: {
    full: '通常の回答',
    longer_cache: '保存済みの情報を長めに利用',
    coalesced: '同じ質問への回答を共有',
    small_model: '軽量モデルで回答',
    cached_answer: '以前の回答を表示',
    template: '定型文で回答',
    apology: 'ただいま回答できません',
  },
  parts: {
    intent: '質問の分類',
    history: 'これまでの会話',
    cache: '回答の保存領域',
    embedding: '意味の検索',
    retrieval: '作品の検索',
    model: '文章の生成',
    limits: '利用枠の確認',
  },
  errors: {
    invalid_frame: 'メッセージを読み取れませんでした。',
    message_too_long: 'メッセージが長すぎます。短くしてお試しください。',
    unauthorised: '接続の有効期限が切れました。',
    busy: '前のご質問にお答えしている途中です。',
    overloaded: 'ただいま大変混み合っています。少し待ってからお試しください。',
    timeout: '時間内にお答えできませんでした。',
    upstream_failed: '回答を作成できませんでした。',
    answer_lost: '回答が途切れました。',
    internal: '問題が起きました。もう一度お試しください。',
  },
  tryAgain: 'もう一度たずねる',
  enterHint: 'Enter で送信、Shift + Enter で改行',
  copy: '回答をコピー',
  copied: 'コピーしました',
  toNewest: '最新の回答へ',
};

const en: Words = {
  assistant: 'MangaAssist',
  tagline: 'The book fair that never closes',
  welcome: 'Welcome, come on in',
  welcomeHint: 'New volumes, stock, delivery, something to read tonight: just ask.',
  starters: [
    'Which of this week’s new volumes should I read?',
    'Something quiet to read in the evening',
    'When will my order arrive?',
    'How do I return a book?',
  ],
  transcript: 'Conversation',
  you: 'You',
  placeholder: 'A title, or anything you would like to know',
  messageLabel: 'Message',
  send: 'Send',
  stop: 'Stop',
  stopping: 'Stopping…',
  newConversation: 'New conversation',
  otherLanguage: '日本語',
  toLight: 'Switch to light',
  toDark: 'Switch to dark',
  connection: { connecting: 'Connecting…', online: 'Connected', reconnecting: 'Reconnecting…' },
  recalling: 'Fetching your conversation…',
  thinking: 'Looking it up',
  restarting: 'The answer was interrupted and is being started again…',
  restarted: 'This answer was interrupted and started again from the beginning',
  cancelled: 'Stopped here',
  cutShort: {
    length: 'Ends here: the limit of length was reached',
    filtered: 'Ends here after a review of its content',
  },
  answerReady: 'Answer:',
  sources: 'Drawn from',
  sourceNumber: (number) => `Source ${number}`,
  tokens: (input, output) => `${input} in · ${output} out tokens`,
  conversationCost: 'This conversation',
  reduced: 'Reduced answer',
  reducedParts: 'Not available this time',
  rungs: {
    full: 'Full answer',
    longer_cache: 'Kept results are used for longer',
    coalesced: 'Shared with others who asked the same',
    small_model: 'Answered by the small model',
    cached_answer: 'An earlier answer',
    template: 'A prepared answer',
    apology: 'No answer at the moment',
  },
  parts: {
    intent: 'understanding the question',
    history: 'the conversation so far',
    cache: 'kept answers',
    embedding: 'search by meaning',
    retrieval: 'the catalogue search',
    model: 'the language model',
    limits: 'the usage limits',
  },
  errors: {
    invalid_frame: 'The message could not be read.',
    message_too_long: 'The message is too long. Please shorten it.',
    unauthorised: 'The connection has expired.',
    busy: 'Your previous question is still being answered.',
    overloaded: 'We are very busy right now. Please try again in a moment.',
    timeout: 'There was no answer in time.',
    upstream_failed: 'The answer could not be made.',
    answer_lost: 'The answer was interrupted.',
    internal: 'Something went wrong. Please try again.',
  },
  tryAgain: 'Ask again',
  enterHint: 'Enter sends, Shift + Enter starts a new line',
  copy: 'Copy the answer',
  copied: 'Copied',
  toNewest: 'To the newest answer',
};

export const WORDS: Readonly<Record<Locale, Words>> = { ja, en };

/** The language to begin with, from what the browser prefers. */
export function localeOf(preferred: readonly string[]): Locale {
  return preferred[0]?.toLowerCase().startsWith('ja') === true ? 'ja' : 'en';
}
