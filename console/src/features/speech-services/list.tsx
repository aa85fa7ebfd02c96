import { messages } from '@trunkline/contract/messages/speech-credential'
import type { SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import { vendorName } from '@trunkline/contract/speech/vendors'
import { Activity, AudioLines } from 'lucide-react'
import { ResourceList, type ResourceListProps, type ListColumn } from '../../kit/list/list'
import { useAccountFilter } from '../../kit/list/list-state'
import { RecordName } from '../../kit/record/record-name'
import { paths } from '../../lib/paths'
import { formatLastUsed } from '../../lib/time'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { Button, IconButton } from '../../ui/button'
import { Muted } from '../../ui/muted'
import css from './list.module.css'
import { removal } from './service-removal'
import { rowsBelow, titleOf, useSpeechServices } from './service-source'
import { StatusCheck, Usage } from './test-status'
import { useTryService } from './use-service-test'
import { VendorMark } from './vendor-monogram'

const label: ListColumn<SpeechCredential> = {
  id: 'label',
  head: 'Label',
  width: 120,
  sortable: true,
  cell: (row) => (row.label ? <span className={css.label}>{row.label}</span> : <Muted isEntireValue>None</Muted>),
}

const usedBy: ListColumn<SpeechCredential> = {
  id: 'account_name',
  head: 'Used by',
  width: 180,
  sortable: true,
  secondary: true,
  cell: (row) => <RecordName kind="account" row={row} none="All accounts" link />,
}

const columns: ListColumn<SpeechCredential>[] = [
  { id: 'usage', head: 'Usage', width: 130, cell: (row) => <Usage row={row} /> },
  { id: 'status', head: 'Status check', minWidth: 272, cell: (row) => <StatusCheck row={row} /> },
  {
    id: 'last_used',
    head: 'Last used',
    width: 100,
    dropOrder: 1,
    cell: ({ last_used }) => (last_used ? formatLastUsed(last_used) : <Muted>{formatLastUsed(last_used)}</Muted>),
  },
]

/** The speech services that the signed-in user may see. */
export const SpeechServiceList = () => {
  const of = useSpeechServices()
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const filtered = useAccountFilter()
  const tries = useTryService()
  const own = actor.scope === 'account'
  // Vendors charge for tests, so view-only users cannot start one.
  const tests: Pick<ResourceListProps<SpeechCredential>, 'bulk' | 'actions' | 'actionCount'> = {
    bulk: ({ rows, clear }) => (
      <Button icon={Activity} pending={tries.busy} onClick={() => void tries.all([...rows.values()]).then(clear)}>
        Test
      </Button>
    ),
    actions: (row) => <IconButton icon={Activity} label={`Test ${titleOf(row)}`} onClick={() => void tries.one(row)} />,
    actionCount: 1,
  }
  return (
    <ResourceList
      of={of}
      title="Speech services"
      source={rowsBelow(service_provider_sid, own ? actor.account_sid : filtered || null)}
      nameColumn={{
        id: 'vendor',
        head: 'Vendor',
        width: 156,
        value: ({ vendor }) => vendorName(vendor),
        cell: ({ vendor }) => (
          <span className={css.vendor}>
            <VendorMark vendor={vendor} />
            <span className={css.name}>{vendorName(vendor)}</span>
          </span>
        ),
      }}
      columns={[label, ...(own ? [] : [usedBy]), ...columns]}
      searchText={titleOf}
      accounts="Used by"
      edit={(row) => paths.speech.edit(row.speech_credential_sid)}
      add={{ href: paths.speech.add, label: 'Add speech service' }}
      remove={removal}
      {...(actor.viewOnly ? {} : tests)}
      empty={{
        title: messages.none,
        icon: AudioLines,
        text: 'Connect a vendor for text-to-speech or speech-to-text.',
      }}
    />
  )
}
