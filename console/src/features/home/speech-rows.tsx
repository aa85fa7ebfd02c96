import type { SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import { getVendorName } from '@trunkline/contract/speech/vendors'
import { formatShortTimestamp } from '../../lib/call-times'
import { paths } from '../../lib/paths'
import { useActor } from '../../session/session'
import { Monogram } from '../../ui/monogram'
import { PanelList, PanelRow } from '../../ui/record/panel-list'
import css from './state-panels.module.css'

/** The directions whose last test failed. */
const getFailedDirections = ({ use_for_tts, tts_tested_ok, use_for_stt, stt_tested_ok }: SpeechCredential) => [
  ...(use_for_tts !== 0 && tts_tested_ok === 0 ? ['TTS'] : []),
  ...(use_for_stt !== 0 && stt_tested_ok === 0 ? ['STT'] : []),
]

const SpeechRow = ({ row }: { row: SpeechCredential }) => {
  const isAccountUser = useActor().scope === 'account'
  const vendor = getVendorName(row.vendor)
  const testedAt = formatShortTimestamp(row.last_tested)
  return (
    <PanelRow isTall>
      <Monogram name={vendor} />
      <span className={css.text}>
        <a href={paths.speech.edit(row.speech_credential_sid)}>{vendor}</a>{' '}
        {row.label ? <span>{row.label}</span> : null}
        <span className={css.failure}>
          {getFailedDirections(row).join(' and ')} test failed{testedAt ? ` · ${testedAt}` : ''}
        </span>
      </span>
      <span className={css.end}>{isAccountUser ? null : (row.account_name ?? 'All accounts')}</span>
    </PanelRow>
  )
}

/** Speech credentials whose last test failed. */
export const SpeechRows = ({ rows }: { rows: readonly SpeechCredential[] }) => (
  <PanelList columns="auto minmax(0, 1fr) auto">
    {rows.map((row) => (
      <SpeechRow key={row.speech_credential_sid} row={row} />
    ))}
  </PanelList>
)
