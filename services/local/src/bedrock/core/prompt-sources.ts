const MOST_SOURCES = 3;
const LONGEST_TITLE = 80;

/** Ways in which prompts name what was retrieved, each with the title as its first group. */
const TITLE_PATTERNS: readonly RegExp[] = [
  /"title"\s*:\s*"([^"\n]+)"/g,
  /\btitle\s*=\s*"([^"\n]+)"/g,
  /^\s*(?:[-*]\s*)?(?:title|タイトル)\s*[:：]\s*(.+)$/gim,
  /^\s*\[\d+\]\s*([^\n]+)$/gm,
  /『([^』\n]+)』/g,
];

/** Titles of the retrieved passages that a prompt carries, in order, without repeats. */
export function titlesInPrompt(prompt: string): string[] {
  const titles = new Set<string>();
  for (const pattern of TITLE_PATTERNS) {
    for (const match of prompt.matchAll(pattern)) {
      const title = cleanTitle(match[1] ?? '');
      if (title) titles.add(title);
      if (titles.size === MOST_SOURCES) return [...titles];
    }
  }
  return [...titles];
}

function cleanTitle(raw: string): string {
  return raw
    .replace(/^『|』.*$/g, '')
    .trim()
    .slice(0, LONGEST_TITLE);
}
