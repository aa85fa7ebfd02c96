/** Messages about finished calls and alerts. */
export const messages = {
  none: 'No data.',
  notFound: 'This call was not found.',
  notFoundHint: 'Its record may have been deleted, or the link is incomplete.',
  callsHint: 'Calls appear here after they end.',
  /** Shown if a list of alerts has the maximum number of groups. */
  tooManyAlertGroups: (maximum: number) =>
    `The list ends after ${maximum.toLocaleString('en-US')} different alerts. If there are more, choose fewer days or a filter to see them.`,
  alertsHint: 'Alerts appear here when a webhook, a carrier or a speech vendor fails.',
  ingestHint:
    'If none appear, check that the voice servers send them to this server (ENABLE_INGEST or INGEST_PORT) or to the InfluxDB or ClickHouse that this server reads (INFLUX_URL, CLICKHOUSE_URL).',
  /** Shown if the store has to read every call to calculate statistics. */
  tooMany: 'Too many calls to summarize. Choose fewer days.',
  tooManyToGroup: 'Too many calls to group. Choose fewer days.',
  /** Marks a trunk or account. */
  outlier: 'The share of answered calls is far below average.',
  linkLabel: 'Link to this call',
} as const
