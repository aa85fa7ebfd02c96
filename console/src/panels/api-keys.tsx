import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/api-key'
import { apiKey, apiKeysOfAccount, apiKeysOfProvider } from '@trunkline/contract/resources/api-key'
import type { ApiKey } from '@trunkline/contract/shapes/api-key'
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { request } from '../lib/client'
import { getErrorMessage } from '../lib/problem'
import { formatLastUsed } from '../lib/last-used'
import { formatDate } from '../lib/time'
import { namedQueryKey } from '../lib/query-keys'
import { useCan } from '../session/session'
import { Button, IconButton } from '../ui/button'
import { FailedState } from '../ui/feedback/failed-state'
import { maskSecret, MaskedSecret } from '../ui/form/masked-secret'
import { Section } from '../ui/form/section'
import { Status } from '../ui/status'
import css from './api-keys.module.css'
import { NewApiKey, type ApiKeyOwner } from './new-api-key'
import { RemoveDialog } from '../kit/record/remove-dialog'

const listKeys = ({ account_sid, service_provider_sid }: ApiKeyOwner, signal: AbortSignal): Promise<ApiKey[]> =>
  account_sid === null
    ? request(apiKeysOfProvider, { params: { service_provider_sid }, signal })
    : request(apiKeysOfAccount, { params: { account_sid }, signal })

const byCreationDateDescending = (a: ApiKey, b: ApiKey) => (b.created_at ?? '').localeCompare(a.created_at ?? '')

/** Identifies a key in places that must not reveal its token. */
const describeKey = ({ name, token }: ApiKey) =>
  name ? `key ${name} ending in ${token.slice(-4)}` : `key ending in ${token.slice(-4)}`

const isLinkTarget = (sid: string) => window.location.hash === `#${sid}`

/** A link can point to one key: scrolls to it as soon as the keys have loaded. */
const scrollToLinkTarget = (row: HTMLTableRowElement | null) => {
  if (row && isLinkTarget(row.id)) row.scrollIntoView({ block: 'center' })
}

/** The expiry date for display. */
const formatExpiry = ({ expires_at }: ApiKey) => (expires_at ? formatDate(expires_at) : messages.noExpiry)

const isExpired = ({ expires_at }: ApiKey) => expires_at !== null && new Date(expires_at) <= new Date()

const formatExpirySummary = (row: ApiKey) =>
  row.expires_at ? `${isExpired(row) ? 'Expired' : 'Expires'} ${formatExpiry(row)}` : messages.noExpiry

const ExpiryCell = ({ row }: { row: ApiKey }) =>
  isExpired(row) ? (
    <Status kind="bad" title={`Expired on ${formatExpiry(row)}`}>
      Expired
    </Status>
  ) : (
    formatExpiry(row)
  )

/** A key: its masked token, and the dates that distinguish it. */
const ApiKeyRow = ({ row, onRemove }: { row: ApiKey; onRemove?: () => void }) => (
  <tr ref={scrollToLinkTarget} id={row.api_key_sid} data-link-target={isLinkTarget(row.api_key_sid) || undefined}>
    <td>
      {row.name ? <span className={css.name}>{row.name}</span> : null}
      {/* a view-only user must not copy a key that can change records */}
      <MaskedSecret
        value={onRemove ? row.token : maskSecret(row.token)}
        label={describeKey(row)}
        revealable={onRemove !== undefined}
      />
      <span className={css.dates}>Created {formatDate(row.created_at)}</span>
      <span className={css.dates}>{formatExpirySummary(row)}</span>
    </td>
    <td>{formatLastUsed(row.last_used)}</td>
    <td className={css.date}>{formatDate(row.created_at)}</td>
    <td className={css.date}>
      <ExpiryCell row={row} />
    </td>
    {onRemove ? (
      <td className={css.action}>
        <IconButton icon={Trash2} label={`Delete ${describeKey(row)}`} onClick={onRemove} />
      </td>
    ) : null}
  </tr>
)

interface ApiKeyTableProps {
  rows: ApiKey[]
  /** Absent if the user may not delete keys. */
  onRemove?: (row: ApiKey) => void
}

const ApiKeyTable = ({ rows, onRemove }: ApiKeyTableProps) => (
  <table className={css.keys} aria-label="API keys">
    <thead>
      <tr>
        <th scope="col">API key</th>
        <th scope="col" className={css.lastUsed}>
          Last used
        </th>
        <th scope="col" className={css.date}>
          Created
        </th>
        <th scope="col" className={css.date}>
          Expires
        </th>
        {onRemove ? (
          <th scope="col" className={css.action}>
            <span className="visually-hidden">Actions</span>
          </th>
        ) : null}
      </tr>
    </thead>
    <tbody>
      {rows.map((row) => (
        <ApiKeyRow key={row.api_key_sid} row={row} {...(onRemove ? { onRemove: () => onRemove(row) } : {})} />
      ))}
    </tbody>
  </table>
)

/**
 * The API keys of an account or a service provider: list, create, delete. Rendered inside a form, but not part of the
 * data that it saves.
 */
export const ApiKeys = ({ owner }: { owner: ApiKeyOwner }) => {
  const can = useCan()
  const [isCreating, setIsCreating] = useState(false)
  const [recordToDelete, setRecordToDelete] = useState<ApiKey>()
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: namedQueryKey('api_key', 'all', owner),
    queryFn: ({ signal }) => listKeys(owner, signal),
    select: (rows) => rows.toSorted(byCreationDateDescending),
  })
  return (
    <Section
      isWide
      title="API keys"
      help="Programs use API keys to access the API."
      actions={
        can('create', 'api_key', owner) ? (
          <Button size="sm" icon={Plus} onClick={() => setIsCreating(true)}>
            Create API key
          </Button>
        ) : null
      }
    >
      {error && !data ? (
        <FailedState
          message={getErrorMessage(error)}
          text="The API keys could not be loaded."
          onRetry={() => void refetch()}
          pending={isFetching}
        />
      ) : null}
      {data?.length === 0 ? <p className={css.empty}>No API keys.</p> : null}
      {data && data.length > 0 ? (
        <ApiKeyTable rows={data} {...(can('remove', 'api_key', owner) ? { onRemove: setRecordToDelete } : {})} />
      ) : null}
      {isCreating ? <NewApiKey owner={owner} onClose={() => setIsCreating(false)} /> : null}
      <RemoveDialog
        resource={apiKey}
        row={recordToDelete}
        removedMessage={() => messages.removed}
        question={(row) => (
          <>
            Are you sure you want to delete the API key <strong>{row.name ?? maskSecret(row.token)}</strong>? Programs
            that use it lose access immediately.
          </>
        )}
        onClose={() => setRecordToDelete(undefined)}
      />
    </Section>
  )
}
