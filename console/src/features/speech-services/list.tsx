import { messages } from '@trunkline/contract/messages/speech-credential'
import type { SpeechCredential } from '@trunkline/contract/shapes/speech-credential'
import { getVendorName } from '@trunkline/contract/speech/vendors'
import { Activity, AudioLines } from 'lucide-react'
import { useRef } from 'react'
import { AccountFilter } from '../../kit/list/account-filter'
import { rowReader } from '../../kit/list/all-pages'
import { ResourceList, type ListedRows, type ListFilter, type ResourceListProps } from '../../kit/list/list'
import type { ListColumn } from '../../kit/list/list-column'
import { useAccountFilter } from '../../kit/list/list-state'
import { RecordName } from '../../kit/record/record-name'
import { paths } from '../../lib/paths'
import { formatLastUsed } from '../../lib/last-used'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { Button, IconButton } from '../../ui/button'
import { Muted } from '../../ui/muted'
import css from './list.module.css'
import { serviceRemoval } from './service-removal'
import { createServiceSource, getServiceTitle, useServiceResource } from './service-source'
import { StatusCheck, Usage } from './test-status'
import { hasFailedTest } from './test-status-values'
import { TestRunPanel } from './test-run-panel'
import { useServiceTests } from './use-service-test'
import { useTestRun, type TestRun } from './use-test-run'
import { VendorMonogram } from './vendor-monogram'

const labelColumn: ListColumn<SpeechCredential> = {
  id: 'label',
  head: 'Label',
  width: 120,
  sortable: true,
  cell: (row) => (row.label ? <span className={css.label}>{row.label}</span> : <Muted isEmptyValue>None</Muted>),
}

const accountColumn: ListColumn<SpeechCredential> = {
  id: 'account_name',
  head: 'Used by',
  width: 180,
  sortable: true,
  mutedText: true,
  cell: (row) => <RecordName kind="account" row={row} emptyLabel="All accounts" link />,
}

const usageColumn: ListColumn<SpeechCredential> = {
  id: 'usage',
  head: 'Usage',
  width: 130,
  dropOrder: 1,
  cell: (row) => <Usage row={row} />,
}

const createStatusColumn = ({ isWaiting }: TestRun): ListColumn<SpeechCredential> => ({
  id: 'status',
  head: 'Status check',
  minWidth: 200,
  cell: (row) => (isWaiting(row) ? <Muted>Waiting</Muted> : <StatusCheck row={row} />),
})

const lastUsedColumn: ListColumn<SpeechCredential> = {
  id: 'last_used',
  head: 'Last used',
  width: 100,
  dropOrder: 2,
  cell: ({ last_used }) => (last_used ? formatLastUsed(last_used) : <Muted>{formatLastUsed(last_used)}</Muted>),
}

const testFilter: ListFilter<SpeechCredential> = {
  id: 'test',
  name: 'Status check',
  options: [{ value: 'failed', label: 'Failed' }],
  match: hasFailedTest,
  query: (test) => ({ test }),
}

const fetchServices = async (
  { fetchRows }: ListedRows<SpeechCredential>,
  signal: AbortSignal,
): Promise<SpeechCredential[]> => {
  const services: SpeechCredential[] = []
  for await (const { rows } of fetchRows(signal, rowReader)) services.push(...rows)
  return services
}

type TestActions = Pick<
  ResourceListProps<SpeechCredential>,
  'bulkActions' | 'rowActions' | 'maxExtraActions' | 'listActions' | 'header'
>

/** The actions that test services: a row, the selected rows, or all rows that match the filters. */
const useTestActions = (testRun: TestRun): TestActions => {
  const serviceTests = useServiceTests()
  const testAllRef = useRef<HTMLButtonElement>(null)
  const isRunning = testRun.progress !== undefined
  return {
    header: (
      <TestRunPanel
        run={testRun}
        onDismiss={() => {
          testRun.dismiss()
          testAllRef.current?.focus()
        }}
      />
    ),
    listActions: (list) =>
      list.total ? (
        <Button
          ref={testAllRef}
          icon={Activity}
          pending={isRunning}
          onClick={() => void testRun.start((signal) => fetchServices(list, signal))}
        >
          Test all
        </Button>
      ) : null,
    bulkActions: ({ rows, clear }) => (
      <Button
        icon={Activity}
        pending={isRunning}
        onClick={() => void testRun.start(() => Promise.resolve([...rows.values()])).then(clear)}
      >
        Test
      </Button>
    ),
    rowActions: (row) => (
      <IconButton
        icon={Activity}
        label={`Test ${getServiceTitle(row)}`}
        onClick={() => void serviceTests.testOne(row)}
      />
    ),
    maxExtraActions: 1,
  }
}

/** The speech services that the signed-in user may see. */
export const SpeechServiceList = () => {
  const resource = useServiceResource()
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const accountFilter = useAccountFilter()
  const testRun = useTestRun()
  const testActions = useTestActions(testRun)
  const isAccountUser = actor.scope === 'account'
  return (
    <ResourceList
      resource={resource}
      title="Speech services"
      source={createServiceSource(service_provider_sid, isAccountUser ? actor.account_sid : accountFilter || null)}
      nameColumn={{
        id: 'vendor',
        head: 'Vendor',
        width: 156,
        value: ({ vendor }) => getVendorName(vendor),
        cell: ({ vendor }) => (
          <span className={css.vendor}>
            <VendorMonogram vendor={vendor} />
            <span className={css.name}>{getVendorName(vendor)}</span>
          </span>
        ),
      }}
      filters={[testFilter]}
      columns={[
        labelColumn,
        ...(isAccountUser ? [] : [accountColumn]),
        usageColumn,
        createStatusColumn(testRun),
        lastUsedColumn,
      ]}
      searchText={getServiceTitle}
      renderAccountFilter={(value, onChange) => <AccountFilter label="Used by" {...{ value, onChange }} />}
      editPath={(row) => paths.speech.edit(row.speech_credential_sid)}
      add={{ href: paths.speech.add, label: 'Add speech service' }}
      removeOptions={serviceRemoval}
      // Vendors charge for tests, so view-only users cannot start one.
      {...(actor.viewOnly ? {} : testActions)}
      empty={{
        title: messages.none,
        icon: AudioLines,
        text: 'Connect a vendor for text-to-speech or speech-to-text.',
      }}
    />
  )
}
