import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/application'
import { application } from '@trunkline/contract/resources/application'
import type { Application } from '@trunkline/contract/shapes/application'
import type { Webhook } from '@trunkline/contract/shapes/webhook'
import { getVendorName } from '@trunkline/contract/speech/vendors'
import { useReadOrRedirect } from '../../kit/form/use-read-or-redirect'
import { RecordOverview } from '../../kit/record/record-page'
import { UsedByPanel } from '../../kit/record/used-by-panel'
import { toReadableRow } from '../../lib/readable-row'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { FailuresPanel } from '../../panels/calls/failures-panel'
import { RecentCallsPanel } from '../../panels/calls/recent-calls-panel'
import { useNumberListPaths } from '../../panels/number-links'
import type { RecordCalls } from '../../panels/calls/record-calls'
import { WeekPanel } from '../../panels/calls/week-panel'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { Muted } from '../../ui/muted'
import { FactList } from '../../ui/record/fact-list'
import { Panel, PanelSkeleton } from '../../ui/record/panel'
import type { RecordFact } from '../../ui/record/record-head'
import { useApplicationPage, useFindApplicationDependents } from './page'

const formatWebhook = (webhook: Webhook | null) =>
  webhook?.url ? `${webhook.method ?? ''} ${webhook.url}`.trim() : <Muted>None</Muted>

const listWebhooks = ({ call_hook, call_status_hook, messaging_hook }: Application): RecordFact[] => [
  { label: 'Calling webhook', value: formatWebhook(call_hook) },
  { label: 'Call status webhook', value: formatWebhook(call_status_hook) },
  ...(messaging_hook?.url ? [{ label: 'Messaging webhook', value: formatWebhook(messaging_hook) }] : []),
]

/** The vendor, its label, the language and the voice, as far as they are set. */
const formatSpeech = (vendor: string | null, ...settings: (string | null)[]) =>
  vendor ? [getVendorName(vendor), ...settings.filter(Boolean)].join(' · ') : undefined

const listSpeech = (row: Application): RecordFact[] => {
  const hasFallback = Boolean(row.use_for_fallback_speech)
  const speech = [
    [
      'Speech synthesis',
      formatSpeech(
        row.speech_synthesis_vendor,
        row.speech_synthesis_label,
        row.speech_synthesis_language,
        row.speech_synthesis_voice,
      ),
    ],
    [
      'Speech recognition',
      formatSpeech(row.speech_recognizer_vendor, row.speech_recognizer_label, row.speech_recognizer_language),
    ],
    [
      'Fallback synthesis',
      hasFallback &&
        formatSpeech(
          row.fallback_speech_synthesis_vendor,
          row.fallback_speech_synthesis_label,
          row.fallback_speech_synthesis_language,
          row.fallback_speech_synthesis_voice,
        ),
    ],
    [
      'Fallback recognition',
      hasFallback &&
        formatSpeech(
          row.fallback_speech_recognizer_vendor,
          row.fallback_speech_recognizer_label,
          row.fallback_speech_recognizer_language,
        ),
    ],
  ] as const
  return speech.flatMap(([label, value]) => (value ? [{ label, value }] : []))
}

/** A panel of facts from the record itself. */
const FactsPanel = ({ title, facts, mono }: { title: string; facts: RecordFact[] | undefined; mono?: boolean }) => (
  <Panel title={title} span={6}>
    {facts ? <FactList facts={facts} mono={mono} /> : <PanelSkeleton rows={2} />}
  </Panel>
)

/** The calls of an application; undefined if the server cannot filter calls by application. */
const useApplicationCalls = (sid: string): RecordCalls | undefined => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const { data: capabilities } = useQuery(capabilitiesQuery)
  if (!capabilities?.callSearch) return undefined
  return {
    scope: actor.scope === 'account' ? ['account', actor.account_sid] : ['provider', service_provider_sid],
    filters: { application_sid: sid },
    search: { application: sid },
  }
}

/** The page of an application. */
export const ApplicationRecord = ({ sid = '' }: { sid?: string }) => {
  const calls = useApplicationCalls(sid)
  const findDependents = useFindApplicationDependents()
  const listPaths = useNumberListPaths('application')(sid)
  return (
    <RecordOverview {...useApplicationPage(sid)} sid={sid} read={useReadOrRedirect(application, messages.noAccess)}>
      {(row) => {
        const readableRow = row && toReadableRow(row)
        return (
          <>
            <FactsPanel title="Webhooks" facts={readableRow && listWebhooks(readableRow)} mono />
            <FactsPanel title="Speech" facts={readableRow && listSpeech(readableRow)} />
            {calls ? (
              <>
                <WeekPanel calls={calls} />
                <FailuresPanel calls={calls} />
                <RecentCallsPanel calls={calls} />
              </>
            ) : null}
            <UsedByPanel
              title="Used by"
              span={5}
              resource={application}
              row={row}
              findDependents={findDependents}
              listPaths={listPaths}
            />
          </>
        )
      }}
    </RecordOverview>
  )
}
