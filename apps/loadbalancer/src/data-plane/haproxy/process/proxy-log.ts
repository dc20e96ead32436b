/**
 * Why HAProxy does not run by a configuration, in its own words, as the load balancer's owner may
 * read them: without paths and process numbers.
 */

/** `[ALERT]    (123) : config : what is wrong` */
const ALERT = /^\[ALERT\]\s+\(\d+\)\s*:\s*(?:config\s*:\s*)?(.*)$/;
/** Says again that there was something. */
const SUMMARY = /^(?:Error\(s\)|Fatal errors) found in configuration|Loading failure|^\[haproxy\./;
const PLACE = /parsing \[[^\]]*\]\s*:\s*/g;
const FOLDER = /(?:\/[^\s'"/]+)*\/?\b(?:next|configuration)\//g;
const MAX_LINES = 3;

/** @returns undefined where nothing went wrong */
export function reasonIn(log: string): string | undefined {
  const alerts = log.split('\n').flatMap((line) => {
    const said = ALERT.exec(line)?.[1]
      ?.replaceAll(PLACE, '')
      .replaceAll(FOLDER, '')
      .replace(/[.\s]+$/, '');
    return said === undefined || said === '' || SUMMARY.test(said) ? [] : [said];
  });
  return alerts.length === 0 ? undefined : alerts.slice(0, MAX_LINES).join('; ');
}
