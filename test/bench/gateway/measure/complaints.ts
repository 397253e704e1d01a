const SERVING = '"msg":"serving"';
const COMPLAINT = /"level":"(?:warn|error)"/;
const MOST_SHOWN = 10;

/** What a program warned of since it serves: a run in which the gateway lost its Redis is no comparison. */
export function complaintsIn(output: string): string[] {
  const whileServing = output.slice(Math.max(0, output.indexOf(SERVING)));
  return whileServing
    .split('\n')
    .filter((line) => COMPLAINT.test(line))
    .slice(0, MOST_SHOWN);
}
