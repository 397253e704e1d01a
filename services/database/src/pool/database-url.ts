/** A database's address with the credentials that are kept apart from it. */
export function databaseUrl(address: string, user: string, password: string): string {
  const url = new URL(address);
  url.username = encodeURIComponent(user);
  url.password = encodeURIComponent(password);
  return url.href;
}
