import { messages } from '@trunkline/contract/messages/speech-credential'
import type { SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import type { Direction } from '@trunkline/contract/speech/vendor'
import { Activity } from 'lucide-react'
import { useActor } from '../../session/session'
import { Box } from '../../ui/form/box'
import { Button } from '../../ui/button'
import { StandingMark, SummaryMark } from './test-status'
import css from './test-box.module.css'
import { isOff, standingOf, summaryOf } from './test-status-values'
import { useFound, useTryService } from './use-service-test'

const names = { synthesis: 'Text-to-speech', recognition: 'Speech-to-text' } as const

const Part = ({ row, direction }: { row: SpeechCredential; direction: Direction }) => {
  const { found } = useFound(row.speech_credential_sid)
  const standing = standingOf(row, direction, found)
  if (standing.state === 'none') return null
  return (
    <div className={css.part} role="group" aria-label={names[direction]}>
      <div className={css.line}>
        <span className={css.name}>{names[direction]}</span>
        <StandingMark standing={standing} />
      </div>
      {standing.reason ? <p className={css.reason}>{standing.reason}</p> : null}
    </div>
  )
}

/** Tests the stored service at its vendor and shows the result of each direction. */
export const TestBox = ({ row, dirty }: { row: SpeechCredential; dirty: boolean }) => {
  const tries = useTryService()
  const { viewOnly = false } = useActor()
  const { found, busy } = useFound(row.speech_credential_sid)
  const off = isOff(row)
  return (
    <Box
      title="Connection test"
      end={
        <>
          <SummaryMark row={row} />
          {viewOnly ? null : (
            <Button size="sm" icon={Activity} pending={tries.busy} disabled={off} onClick={() => void tries.one(row)}>
              Test
            </Button>
          )}
        </>
      }
    >
      <div className={css.parts} role="status">
        {off ? null : <Part row={row} direction="synthesis" />}
        {off ? null : <Part row={row} direction="recognition" />}
        {summaryOf(row, found) === 'not tested' && !busy && !viewOnly ? (
          <p className={css.reason}>{messages.notTested}</p>
        ) : null}
        {dirty && !off ? <p className={css.reason}>{messages.savedCredentialTested}</p> : null}
      </div>
    </Box>
  )
}
