/** The syntax tree of a metric math expression. */
export type MathNode =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'id'; readonly id: string }
  | { readonly kind: 'list'; readonly items: readonly MathNode[] }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly MathNode[] }
  | { readonly kind: 'negate'; readonly operand: MathNode }
  | {
      readonly kind: 'binary';
      readonly operator: Operator;
      readonly left: MathNode;
      readonly right: MathNode;
    };

export type Operator = '+' | '-' | '*' | '/' | '^' | '<' | '>' | '<=' | '>=' | '==' | '!=';

/** An expression the stand-in cannot read or compute; the message says where. */
export class MetricMathError extends Error {
  override readonly name = 'MetricMathError';
}

// Loosest first; operators of one row bind equally, from the left.
const PRECEDENCE: readonly (readonly Operator[])[] = [
  ['<', '>', '<=', '>=', '==', '!='],
  ['+', '-'],
  ['*', '/'],
  ['^'],
];

const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|([A-Za-z_]\w*)|(<=|>=|==|!=|[-+*/^<>()[\],]))/y;

export function parseMetricMath(expression: string): MathNode {
  const parser = new Parser(tokenize(expression), expression);
  const node = parser.expression();
  parser.end();
  return node;
}

function tokenize(expression: string): string[] {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  while (expression.slice(TOKEN.lastIndex).trim() !== '') {
    const at = TOKEN.lastIndex;
    const match = TOKEN.exec(expression);
    if (match === null) {
      throw new MetricMathError(`"${expression}": cannot read "${expression.slice(at).trim()}"`);
    }
    tokens.push(match[0].trim());
  }
  return tokens;
}

class Parser {
  private next = 0;

  constructor(
    private readonly tokens: readonly string[],
    private readonly source: string,
  ) {}

  expression(level = 0): MathNode {
    const operators = PRECEDENCE[level];
    if (operators === undefined) return this.unary();
    let left = this.expression(level + 1);
    for (;;) {
      const operator = operators.find((candidate) => candidate === this.tokens[this.next]);
      if (operator === undefined) return left;
      this.next += 1;
      left = { kind: 'binary', operator, left, right: this.expression(level + 1) };
    }
  }

  end(): void {
    if (this.next < this.tokens.length) this.fail();
  }

  private unary(): MathNode {
    if (!this.accept('-')) return this.primary();
    return { kind: 'negate', operand: this.unary() };
  }

  private primary(): MathNode {
    const token = this.tokens[this.next];
    if (token === undefined) return this.fail();
    this.next += 1;
    if (/^\d/.test(token)) return { kind: 'number', value: Number(token) };
    if (token === '[') return { kind: 'list', items: this.items(']') };
    if (token === '(') {
      const inner = this.expression();
      if (!this.accept(')')) this.fail();
      return inner;
    }
    if (!/^[A-Za-z_]/.test(token)) return this.fail();
    return this.accept('(')
      ? { kind: 'call', name: token, args: this.items(')') }
      : { kind: 'id', id: token };
  }

  private items(close: string): MathNode[] {
    const items: MathNode[] = [];
    if (this.accept(close)) return items;
    do items.push(this.expression());
    while (this.accept(','));
    if (!this.accept(close)) this.fail();
    return items;
  }

  private accept(token: string): boolean {
    if (this.tokens[this.next] !== token) return false;
    this.next += 1;
    return true;
  }

  private fail(): never {
    const found = this.tokens[this.next] ?? 'the end';
    throw new MetricMathError(`"${this.source}": did not expect ${found}`);
  }
}
