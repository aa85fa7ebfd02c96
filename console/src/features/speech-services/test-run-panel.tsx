import { CircleAlert, CircleCheck, CircleMinus } from 'lucide-react'
import { paths } from '../../lib/paths'
import { Button } from '../../ui/button'
import { ErrorText } from '../../ui/feedback/error-text'
import { Progress } from '../../ui/feedback/progress'
import { Link } from '../../ui/link'
import { getServiceTitle } from './service-source'
import { formatSummary, type TestFailure, type TestSummary } from './test-run'
import css from './test-run-panel.module.css'
import type { TestRun } from './use-test-run'

const getSummaryIcon = ({ failures, passedCount }: TestSummary) => {
  if (failures.length > 0) return { Icon: CircleAlert, kind: 'bad' }
  return passedCount > 0 ? { Icon: CircleCheck, kind: 'ok' } : { Icon: CircleMinus, kind: 'off' }
}

const SummaryLine = ({ summary }: { summary: TestSummary }) => {
  const { Icon, kind } = getSummaryIcon(summary)
  return (
    <span className={css.summary} data-kind={kind}>
      <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
      {formatSummary(summary)}
    </span>
  )
}

const Failures = ({ failures }: { failures: readonly TestFailure[] }) => (
  <ul className={css.failures} aria-label="Failed tests">
    {failures.map(({ row, reason }) => (
      <li key={row.speech_credential_sid}>
        <Link href={paths.speech.edit(row.speech_credential_sid)} muted>
          {getServiceTitle(row)}
        </Link>{' '}
        <ErrorText>{reason}</ErrorText>
      </li>
    ))}
  </ul>
)

interface TestRunPanelProps {
  run: TestRun
  /** Called when the user dismisses the result. */
  onDismiss: () => void
}

/** The progress of a test run, then its result, which stays until it is dismissed. */
export const TestRunPanel = ({ run, onDismiss }: TestRunPanelProps) => {
  const { progress, summary, isCancelling } = run
  return (
    <div className={css.panel} data-empty={(!progress && !summary) || undefined}>
      <div className={css.line}>
        {progress ? (
          <Progress label={isCancelling ? 'Cancelling' : 'Testing'} done={progress.doneCount} total={progress.total} />
        ) : null}
        {/* exists before the result, as screen readers require */}
        <div role="status">{summary ? <SummaryLine summary={summary} /> : null}</div>
        {progress || summary ? (
          // one button, so that it keeps the focus when the run ends
          <Button size="sm" pending={isCancelling} onClick={progress ? run.cancel : onDismiss}>
            {progress ? 'Cancel' : 'Dismiss'}
          </Button>
        ) : null}
      </div>
      {summary && summary.failures.length > 0 ? <Failures failures={summary.failures} /> : null}
    </div>
  )
}
