/** Long-term or temporary credentials of AWS. */
export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
  readonly expiration?: Date | undefined;
}

export type CredentialProvider = () => Promise<AwsCredentials>;

// The SDK's providers renew what has less than five minutes to live; asking sooner would return the old ones.
const RENEW_BEFORE_MS = 5 * 60_000;
/** With less than this left a signed request may arrive too late. */
const LEAST_LIFE_MS = 30_000;
const RENEWAL_PAUSE_MS = 1_000;

/** Keeps credentials at hand, and renews them in the background while they are still good. */
export class CredentialCache {
  private current: AwsCredentials | undefined;
  private renewal: Promise<AwsCredentials> | undefined;
  private renewNotBeforeMs = -Infinity;

  constructor(
    private readonly provide: CredentialProvider,
    private readonly nowMs: () => number,
  ) {}

  /** Good credentials: at once where there are some, else when the provider has answered. */
  get(): AwsCredentials | Promise<AwsCredentials> {
    const { current } = this;
    if (!current) return this.renew();
    if (current.expiration === undefined) return current;
    const nowMs = this.nowMs();
    const lifeMs = current.expiration.getTime() - nowMs;
    if (lifeMs < LEAST_LIFE_MS) return this.renew();
    if (lifeMs < RENEW_BEFORE_MS && nowMs >= this.renewNotBeforeMs) {
      this.renewNotBeforeMs = nowMs + RENEWAL_PAUSE_MS;
      // A failure is no matter yet: the present ones are good for minutes, and it is tried again.
      this.renew().catch(() => undefined);
    }
    return current;
  }

  /** Forgets credentials that AWS has refused. */
  forget(refused: AwsCredentials): void {
    if (this.current === refused) this.current = undefined;
  }

  private renew(): Promise<AwsCredentials> {
    this.renewal ??= this.provide()
      .then((credentials) => (this.current = credentials))
      .finally(() => (this.renewal = undefined));
    return this.renewal;
  }
}
