/** Messages of the log viewer, which shows what voice servers logged about a call. */
export const messages = {
  title: 'System logs',
  list: 'Log lines',
  loading: 'Loading the system logs',
  none: 'There are no log lines for this call.',
  noneHint: (group: string) =>
    `${group} has no lines that mention the call, from one minute before it to one minute after it.`,
  nothingFound: 'No lines contain this text.',
  group: 'Log group',
  lineCount: (count: number) => `${count.toLocaleString('en-US')} ${count === 1 ? 'line' : 'lines'}`,
  matchCount: (matches: number, total: number) => `${matches.toLocaleString('en-US')} of ${messages.lineCount(total)}`,
  search: 'Search lines',
  warningsOnly: 'Warnings and errors only',
  detail: 'Selected line',
  selectLine: 'Select a line to read it.',
  previous: 'Previous line',
  next: 'Next line',
  position: (position: number, total: number) => `${position} of ${total}`,
  copyLine: 'Copy line',
  /** Name of a copied line in the toast. */
  copiedLineName: 'Line',
  copy: 'Copy all',
  /** Name of all copied lines in the toast. */
  copiedName: 'System logs',
  download: 'Download log',
  text: 'Text',
  fields: 'JSON',

  /** Error messages of the API. */
  awsOnly: 'Logs are only available in AWS environments',
  noCall: 'Call not found',
  accountSidRequired: 'account_sid required',
  invalidGroup: (groups: readonly string[]) => `logGroupName must be one of ${groups.join(', ')}`,
  /** Shown in place of the omitted lines. */
  truncated: 'The log is longer. Only its beginning was loaded.',

  noGroup: (group: string, region: string) => `There is no log group ${group} in ${region}.`,
  denied:
    'AWS does not allow the server to read its logs. The server has no AWS credentials, or lacks the permission logs:FilterLogEvents.',
  timeout: 'The log service does not respond. Try again later.',
  failed: 'The log service failed. Try again later.',
} as const
