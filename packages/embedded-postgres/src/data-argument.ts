/**
 * The data folder as an argument of Postgres, which is also the working directory it starts in.
 *
 * Root's checkout often lies where no other user may pass, such as /root, and Postgres does not run
 * as root. On Linux it is therefore given `/proc/self/cwd`: this process enters the folder while
 * still root, and from there on the kernel resolves that name to the folder itself without walking
 * the path to it. The folder then only has to belong to Postgres's account, wherever it lies.
 */
export function dataArgument(data: string): string {
  return process.platform === 'linux' ? '/proc/self/cwd' : data;
}
