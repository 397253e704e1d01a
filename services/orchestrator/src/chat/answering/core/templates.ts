import type { Intent } from '@matsuri/contract';

type Words = Readonly<Record<'ja' | 'en', string>>;

interface Template {
  readonly intent: Intent;
  /** Words that must be in the question, any of them; absent: it answers whatever else the intent asks. */
  readonly about?: RegExp;
  readonly words: Words;
}

/** What MangaAssist can say without a model. The first that fits is used. */
const TEMPLATES: readonly Template[] = [
  {
    intent: 'faq',
    about: /送料|配送料|shipping (?:fee|cost)|postage|how much is shipping/i,
    words: {
      ja: '送料は全国一律400円です。一回のご注文が税込3,000円以上なら無料になります。',
      en: 'Shipping is a flat 400 yen anywhere in Japan, and free when one order comes to 3,000 yen or more.',
    },
  },
  {
    intent: 'faq',
    about: /何日|いつ届|届きま|配達日数|delivery time|how long|arrive/i,
    words: {
      ja: '在庫がある本は、平日15時までのご注文を当日に発送します。本州は1〜2日、北海道・九州・沖縄は2〜4日ほどで届きます。',
      en: 'Books in stock ordered by 15:00 on a weekday leave the same day: one to two days to Honshu, two to four to Hokkaido, Kyushu and Okinawa.',
    },
  },
  {
    intent: 'faq',
    about: /返品|返金|交換|return|refund|exchange/i,
    words: {
      ja: '返品・交換のお手続きは、マイページの注文履歴から行えます。届いた本に汚れや破損があった場合もそちらからお知らせください。',
      en: 'Returns and exchanges start from your order history page; please report damaged books there as well.',
    },
  },
  {
    intent: 'faq',
    about: /支払|決済|クレジット|コンビニ払|payment|pay |credit card/i,
    words: {
      ja: 'ご利用いただけるお支払い方法は、お会計の画面でご確認いただけます。',
      en: 'The payment methods you can use are shown at checkout.',
    },
  },
  {
    intent: 'faq',
    about: /予約|発売日|pre-?order|release date/i,
    words: {
      ja: '発売予定の本は、作品のページから予約できます。発売日も作品のページでご確認ください。',
      en: "Upcoming volumes can be pre-ordered from the title's page, which also shows the release date.",
    },
  },
  {
    intent: 'faq',
    about: /電子|デジタル|アプリ|e-?book|digital|app\b/i,
    words: {
      ja: '電子版は「マイ本棚」からお読みいただけます。電子版の有無は作品のページでご確認ください。',
      en: "Digital volumes are read from “My bookshelf”; the title's page says whether there is a digital edition.",
    },
  },
  {
    intent: 'faq',
    words: {
      ja: 'ただいま簡易応答でお答えしています。よくあるご質問は「ヘルプ」のページにまとめてあります。',
      en: 'We are answering briefly right now. The most common questions are answered on the Help page.',
    },
  },
  {
    intent: 'order_status',
    words: {
      ja: 'ご注文の状況は、マイページの注文履歴でご確認いただけます。発送後は「荷物を追う」から追跡できます。',
      en: 'Your order history shows the state of every order; once dispatched, use “Track parcel” there.',
    },
  },
  {
    intent: 'order_confirmation',
    words: {
      ja: 'ご注文の確認メールをお送りしています。届かない場合は、マイページの注文履歴をご確認ください。',
      en: 'We send a confirmation e-mail for every order. If it has not arrived, please look at your order history.',
    },
  },
  {
    intent: 'wishlist',
    words: {
      ja: 'ほしい物リストは、マイページから確認・変更できます。',
      en: 'Your wishlist can be seen and changed on your account page.',
    },
  },
  {
    intent: 'purchase',
    words: {
      ja: '作品のページで「カートに入れる」を選び、お会計へお進みください。',
      en: "Choose “Add to cart” on the title's page, then go to checkout.",
    },
  },
  {
    intent: 'browsing',
    words: {
      ja: 'ただいま簡易応答でお答えしています。新刊とランキングはトップページでご覧いただけます。',
      en: 'We are answering briefly right now. New releases and rankings are on the front page.',
    },
  },
  {
    intent: 'product_search',
    words: {
      ja: 'ただいま簡易応答でお答えしています。作品名や作者名は、ページ上部の検索欄からお探しいただけます。',
      en: 'We are answering briefly right now. Titles and authors can be found with the search box at the top.',
    },
  },
  {
    intent: 'recommendation',
    words: {
      ja: 'ただいま簡易応答でお答えしています。人気の作品はランキングのページでご覧いただけます。',
      en: 'We are answering briefly right now. Popular titles are on the rankings page.',
    },
  },
];

/** The prepared answer to a question, if there is one. */
export function templateFor(
  intent: Intent,
  question: string,
  locale: 'ja' | 'en',
): string | undefined {
  const fitting = TEMPLATES.find(
    (template) => template.intent === intent && (template.about?.test(question) ?? true),
  );
  return fitting?.words[locale];
}

/** Whether the prepared answer is about the very thing asked, not only about its kind. */
export function hasExactTemplate(intent: Intent, question: string): boolean {
  return TEMPLATES.some(
    (template) => template.intent === intent && template.about?.test(question) === true,
  );
}
