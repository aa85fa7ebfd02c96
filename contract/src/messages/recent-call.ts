/** Messages about finished calls and alerts. */
export const messages = {
  none: 'No data.',
  callsWhen: 'Calls appear here after they end.',
  alertsWhen: 'Alerts appear here when a webhook, a carrier or a speech vendor fails.',
  howWritten:
    'The voice servers write them to this server (ENABLE_INGEST or INGEST_PORT) or to an InfluxDB that it reads (INFLUX_URL).',
  /** Shown if the store has to read every call to calculate statistics. */
  tooMany: 'There are too many calls to add up. Choose fewer days.',
  tooManyToGroup: 'There are too many calls to group. Choose fewer days.',
  /** Marks a trunk or account. */
  outlier: 'Far fewer calls were answered here than elsewhere.',
  linked: 'Link to this call',
} as const
