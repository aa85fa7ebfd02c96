import { messages } from '@trunkline/contract/messages/speech-credential'
import type { SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import type { Direction } from '@trunkline/contract/speech/vendor'
import { Activity } from 'lucide-react'
import { useActor } from '../../session/session'
import { Box } from '../../ui/form/box'
import { Button } from '../../ui/button'
import { DirectionStatusMark, OverallStatusMark } from './test-status'
import css from './test-box.module.css'
import { isUntestable, getDirectionStatus, getOverallStatus } from './test-status-values'
import { useLatestTest, useServiceTests } from './use-service-test'

const directionNames = { synthesis: 'Text-to-speech', recognition: 'Speech-to-text' } as const

const DirectionResult = ({ row, direction }: { row: SpeechCredential; direction: Direction }) => {
  const { latestTest } = useLatestTest(row.speech_credential_sid)
  const status = getDirectionStatus(row, direction, latestTest)
  if (status.state === 'unsupported') return null
  return (
    <div className={css.result} role="group" aria-label={directionNames[direction]}>
      <div className={css.line}>
        <span className={css.name}>{directionNames[direction]}</span>
        <DirectionStatusMark status={status} />
      </div>
      {status.reason ? <p className={css.reason}>{status.reason}</p> : null}
    </div>
  )
}

/** Tests the stored service at its vendor and shows the result of each direction. */
export const TestBox = ({ row, hasUnsavedChanges }: { row: SpeechCredential; hasUnsavedChanges: boolean }) => {
  const serviceTests = useServiceTests()
  const { viewOnly = false } = useActor()
  const { latestTest, isTesting } = useLatestTest(row.speech_credential_sid)
  const isDisabled = isUntestable(row)
  return (
    <Box
      title="Connection test"
      end={
        <>
          {isTesting || viewOnly ? <OverallStatusMark row={row} /> : null}
          {viewOnly ? null : (
            <Button
              size="sm"
              icon={Activity}
              pending={serviceTests.isTesting}
              disabled={isDisabled}
              onClick={() => void serviceTests.testOne(row)}
            >
              Test
            </Button>
          )}
        </>
      }
    >
      <div className={css.results} role="status">
        {isDisabled ? null : <DirectionResult row={row} direction="synthesis" />}
        {isDisabled ? null : <DirectionResult row={row} direction="recognition" />}
        {getOverallStatus(row, latestTest) === 'untestable' && !isTesting && !viewOnly ? (
          <p className={css.reason}>{messages.notTested}</p>
        ) : null}
        {hasUnsavedChanges && !isDisabled ? <p className={css.reason}>{messages.savedCredentialTested}</p> : null}
      </div>
    </Box>
  )
}
