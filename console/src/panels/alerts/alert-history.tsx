import { SparkBars } from '../../ui/chart/spark-bars'
import type { AlertRow } from './alert-source'

/** When the alerts of a group were raised: a bar for each 6 hours of 7 days. */
export const AlertHistory = ({ row: { history } }: { row: Pick<AlertRow, 'history'> }) => {
  if (!Array.isArray(history)) return null
  const count = history.reduce((sum, value) => sum + value, 0)
  return <SparkBars values={history} label={`${count.toLocaleString('en-US')} in 7 days`} />
}
