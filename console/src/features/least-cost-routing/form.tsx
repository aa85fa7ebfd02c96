import { useQuery, useQueryClient } from '@tanstack/react-query'
import { messages as general } from '@trunkline/contract/messages/general'
import { messages } from '@trunkline/contract/messages/lcr'
import { account } from '@trunkline/contract/resources/account'
import { lcr } from '@trunkline/contract/resources/lcr'
import { create, update, type Lcr } from '@trunkline/contract/shapes/lcr'
import { useMemo, useState } from 'react'
import { DuplicateButton, createCopyName } from '../../kit/record/duplicate'
import { ResourceForm } from '../../kit/form/form'
import type { FormState } from '../../kit/form/form-props'
import { fetchRecord, useRecordAction } from '../../kit/record/record'
import { RemoveButton } from '../../kit/record/remove-button'
import { useReadOrRedirect } from '../../kit/form/use-turn-away'
import { useRowDeletions } from '../../kit/form/use-row-deletions'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { paths } from '../../lib/paths'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { toast } from '../../ui/feedback/toast'
import { routable } from './carriers-query'
import { RoutingFields } from './lcr-fields'
import { makeSaver, removeRoute, wholeTable, withRoutes } from './save-lcr'
import { Trial } from './number-test'
import {
  copyOfTable,
  routesSent,
  tableFaults,
  tableValues,
  toBeCopied,
  usable,
  usableBy,
  valuesWithout,
  type TableValues,
  type WholeTable,
} from './values'

type State = FormState<WholeTable, TableValues>

const whoHas = (values: TableValues, service_provider_sid: string) => ({
  account_sid: values.account_sid,
  service_provider_sid: values.account_sid ? null : service_provider_sid,
})

/** Adds or edits an LCR; one Save stores everything except deleted routes, which are deleted at once. */
export const RoutingForm = ({ sid }: { sid?: string }) => {
  const actor = useActor()
  const current = useProviderSid()
  const [home, setHome] = useState<string>()
  const service_provider_sid = home ?? current
  const { data: carriers } = useQuery(routable(actor, service_provider_sid))
  const cache = useQueryClient()
  const [save] = useState(makeSaver)
  const [number, setNumber] = useState('')
  const [wrong, setWrong] = useState<{ at: number }>()
  const removal = useRecordAction('lcr', removeRoute)
  const removals = useRowDeletions()
  const readTable = useReadOrRedirect(lcr, general.noAccess)
  const all = useMemo(() => carriers ?? [], [carriers])
  const isAdmin = actor.scope === 'admin'
  const own = actor.scope === 'account' ? actor.account_sid : null

  /**
   * Returns the provider of an LCR. An account's LCR does not include it, and an administrator may come from another
   * provider's screens.
   */
  const homeOf = async ({ service_provider_sid: named, account_sid }: Lcr, signal: AbortSignal) => {
    if (named || !account_sid || !isAdmin) return named ?? undefined
    return (await fetchRecord(account, account_sid, signal)).service_provider_sid
  }
  const read = async (asked: string, signal: AbortSignal) => {
    const found = await withRoutes(await readTable(asked, signal), signal)
    if (!sid) return toBeCopied(found, usableBy(null, await cache.ensureQueryData(routable(actor, current))))
    const above = await homeOf(found, signal)
    setHome(above)
    // loads the carrier names before the routes are rendered
    await cache.prefetchQuery(routable(actor, above ?? current))
    return found
  }
  const blocked = ({ form }: State) => {
    if (removals.isRemoving) return messages.routeBeingRemoved
    if (!carriers) return undefined
    const account_sid = form.watch('account_sid')
    if (carriers.some((carrier) => usable(carrier, account_sid))) return undefined
    return account_sid ? messages.noCarriersOfAccount : messages.noCarriers
  }
  /** Deletes a stored route, and removes it from the form's initial values, so that it is not an unsaved change. */
  const removeStored = async ({ begin }: State, lcr_route_sid: string) => {
    const done = await removal.mutateAsync(lcr_route_sid).then(
      () => true,
      () => false,
    )
    if (!done) return false
    const now = await wholeTable(sid ?? '').catch(() => undefined)
    begin((before) => valuesWithout(before, lcr_route_sid, now && tableValues(now, own)))
    toast.ok(messages.routeRemoved)
    return true
  }
  const changedRoutes = (values: TableValues, record: WholeTable | undefined) =>
    record !== undefined && JSON.stringify(routesSent(values)) !== JSON.stringify(routesSent(tableValues(record, own)))

  return (
    <ResourceForm<Lcr, TableValues, WholeTable>
      of={lcr}
      sid={sid}
      title={{ add: 'Add outbound call routes', edit: 'Edit outbound call routes' }}
      read={read}
      copy={(table) => copyOfTable(table, createCopyName(lcr.title(table)))}
      values={(table) => tableValues(table, own)}
      body={(values) => ({
        name: values.name.trim(),
        is_active: values.is_active,
        ...whoHas(values, service_provider_sid),
      })}
      schema={sid ? update : create}
      rules={(values) => tableFaults(values, carriers)}
      save={async (body, { sid: known, values, record }) => {
        const saving = { sid: known, body: body as object, routes: routesSent(values), version: values.version }
        const saved = await save(saving, (await cache.ensureQueryData(capabilitiesQuery)).routes)
        if (changedRoutes(values, record)) toast.ok(messages.routesSaved)
        return saved
      }}
      added={messages.added}
      saved={messages.saved}
      after={(made, adding) => (adding ? (isAdmin ? paths.routing.list : paths.routing.edit(made)) : undefined)}
      cancel={isAdmin ? paths.routing.list : undefined}
      blocked={blocked}
      onWrong={(found) => {
        const [, at] = found.map((path) => /^routes\.(\d+)/.exec(path)).find(Boolean) ?? []
        if (at !== undefined) setWrong({ at: Number(at) })
      }}
      actions={({ record }) =>
        record ? (
          <>
            {isAdmin ? <DuplicateButton of={lcr} row={record} add={paths.routing.add} /> : null}
            {actor.scope === 'service_provider' ? null : (
              <RemoveButton
                of={lcr}
                row={record}
                removed={(row) => messages.gone(lcr.title(row))}
                to={isAdmin ? paths.routing.list : paths.routing.add}
              />
            )}
          </>
        ) : null
      }
      aside={() => <Trial number={number} onNumber={setNumber} carriers={all} />}
    >
      {(state) => (
        <RoutingFields
          state={state}
          carriers={all}
          number={number}
          wrong={wrong}
          onRemoveStored={(lcr_route_sid) => removals.during(() => removeStored(state, lcr_route_sid))}
        />
      )}
    </ResourceForm>
  )
}
