/** The languages the stand-in answers in. */
export type Language = 'ja' | 'en';

type Lines = readonly [string, ...string[]];

/** Sentences an answer is put together from; `{title}` and `{n}` stand for a retrieved source. */
export interface Phrases {
  readonly opening: Lines;
  readonly source: Lines;
  readonly body: Lines;
  readonly closing: Lines;
  readonly toolPreface: Lines;
  readonly toolOutcome: Lines;
  readonly thought: Lines;
}

export const PHRASES: Readonly<Record<Language, Phrases>> = {
  ja: {
    opening: [
      'お問い合わせありがとうございます。',
      'はい、喜んでご案内します。',
      'よいご質問ですね。',
      'お調べしました。',
    ],
    source: [
      '『{title}』[{n}]がお探しの内容に近いと思います。',
      'まずは『{title}』[{n}]から読んでみてはいかがでしょうか。',
      '店内の資料[{n}]によると、『{title}』は今も人気があります。',
    ],
    body: [
      '新刊は発売日の午前零時から電子版をお読みいただけます。',
      '一巻から順に読むと、登場人物の関係がよく分かります。',
      '静かな日常を描く作品と、息をのむ冒険の作品のどちらがお好みでしょうか。',
      '絵の線がやわらかく、夜にゆっくり読むのに向いています。',
      '在庫のある本は、午後三時までのご注文なら当日に発送します。',
      '限定版には書き下ろしの小冊子が付きます。',
      '同じ作者の短編集も、はじめての方におすすめです。',
      '完結している作品なので、最後まで一気に楽しめます。',
      'お気に入りに入れておくと、続きの発売をお知らせします。',
      '紙の本と電子版をまとめて買うと、少しお得になります。',
    ],
    closing: [
      'ほかにも気になる作品があれば、お気軽にお尋ねください。',
      'すてきな一冊に出会えますように。',
      'ご注文まで進める場合は、お知らせください。',
    ],
    toolPreface: ['確認しますので、少々お待ちください。', 'お調べします。'],
    toolOutcome: ['確認した結果は次のとおりです:', '調べたところ、次のことが分かりました:'],
    thought: [
      'まず、お客様が何を求めているかを整理する。',
      '好みの傾向と予算を考えに入れる必要がある。',
      '手元の資料と照らし合わせ、確かなことだけを答えよう。',
      '在庫と発売日は取り違えないように確かめる。',
    ],
  },
  en: {
    opening: [
      'Thank you for asking.',
      'Happy to help with that.',
      'Good question.',
      'I had a look for you.',
    ],
    source: [
      'From what I found, "{title}" [{n}] comes closest to it.',
      'I would start with "{title}" [{n}].',
      'According to our shelf notes [{n}], "{title}" is still much loved.',
    ],
    body: [
      'New volumes can be read digitally from midnight on their release day.',
      'Reading from the first volume makes the friendships easier to follow.',
      'Would you rather have a quiet slice of life or a breathless adventure?',
      'The line work is gentle, which suits a slow evening.',
      'Books in stock leave our warehouse the same day when ordered before three.',
      'The limited edition comes with a small booklet of sketches.',
      'The short stories by the same author are a fine way to begin.',
      'The series is finished, so you can enjoy it to the last page.',
      'Add it to your favourites and we will tell you when the next one is out.',
      'Buying the paper and the digital edition together saves a little.',
    ],
    closing: [
      'Do ask if another title has caught your eye.',
      'I hope you find a book you love.',
      'Let me know if you would like to order it.',
    ],
    toolPreface: ['Let me check that for you.', 'One moment, I will look it up.'],
    toolOutcome: ['Here is what I found:', 'I checked, and this is the result:'],
    thought: [
      'First, work out what the customer is really after.',
      'Their taste and their budget both matter here.',
      'Compare with the notes at hand and state only what is certain.',
      'Stock and release dates must not be confused.',
    ],
  },
};

const JAPANESE = /[\u3040-\u30ff\u3400-\u9fff]/;

/** Japanese when a question holds kana or kanji, else English. */
export function languageOf(question: string): Language {
  return JAPANESE.test(question) ? 'ja' : 'en';
}
