import { useState } from 'preact/hooks';

import { visibleText } from '../core/visible-text';
import { CheckIcon, CopyIcon } from './icons';
import { useWords } from './language';

const SHOWN_MS = 2_000;

export function CopyButton({ text }: { readonly text: string }) {
  const words = useWords();
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(visibleText(text));
    setCopied(true);
    setTimeout(() => setCopied(false), SHOWN_MS);
  };
  const label = copied ? words.copied : words.copy;
  return (
    <button
      type="button"
      class="quiet small"
      onClick={() => void copy()}
      aria-label={label}
      title={label}
    >
      {copied ? <CheckIcon /> : <CopyIcon />}
    </button>
  );
}
