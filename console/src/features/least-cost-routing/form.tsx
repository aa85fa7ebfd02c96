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
import { useReadOrRedirect } from '../../kit/form/use-read-or-redirect'
import { useRowDeletions } from '../../kit/form/use-row-deletions'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { paths } from '../../lib/paths'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { toast } from '../../ui/feedback/toast'
import { routeCarriersQuery } from './carriers-query'
import { LcrFields } from './lcr-fields'
import { createLcrSaver, removeRoute, readLcrWithRoutes, withRoutes } from './save-lcr'
import { NumberTest } from './number-test'
import {
  copyLcr,
  routesToSend,
  lcrErrors,
  lcrValues,
  withoutUnusableCarriers,
  isUsable,
  usableCarrierSids,
  valuesWithoutRoute,
  type LcrValues,
  type LcrWithRoutes,
} from './values'

type LcrFormState = FormState<LcrWithRoutes, LcrValues>

const ownerOf = (values: LcrValues, service_provider_sid: string) => ({
  account_sid: values.account_sid,
  service_provider_sid: values.account_sid ? null : service_provider_sid,
})

/** Adds or edits an LCR; one Save stores everything except deleted routes, which are deleted at once. */
export const LcrForm = ({ sid }: { sid?: string }) => {
  const actor = useActor()
  const currentProviderSid = useProviderSid()
  const [lcrProviderSid, setLcrProviderSid] = useState<string>()
  const service_provider_sid = lcrProviderSid ?? currentProviderSid
  const { data: carriers } = useQuery(routeCarriersQuery(actor, service_provider_sid))
  const cache = useQueryClient()
  const [save] = useState(createLcrSaver)
  const [testNumber, setTestNumber] = useState('')
  const [firstInvalid, setFirstInvalid] = useState<{ index: number }>()
  const removal = useRecordAction('lcr', removeRoute)
  const removals = useRowDeletions()
  const readTable = useReadOrRedirect(lcr, general.noAccess)
  const allCarriers = useMemo(() => carriers ?? [], [carriers])
  const isAdmin = actor.scope === 'admin'
  const ownAccountSid = actor.scope === 'account' ? actor.account_sid : null

  /**
   * Returns the provider of an LCR. An account's LCR does not include it, and an administrator may come from another
   * provider's screens.
   */
  const providerOf = async ({ service_provider_sid: ownProviderSid, account_sid }: Lcr, signal: AbortSignal) => {
    if (ownProviderSid || !account_sid || !isAdmin) return ownProviderSid ?? undefined
    return (await fetchRecord(account, account_sid, signal)).service_provider_sid
  }
  const read = async (lcrSid: string, signal: AbortSignal) => {
    const table = await withRoutes(await readTable(lcrSid, signal), signal)
    if (!sid)
      return withoutUnusableCarriers(
        table,
        usableCarrierSids(null, await cache.ensureQueryData(routeCarriersQuery(actor, currentProviderSid))),
      )
    const providerSid = await providerOf(table, signal)
    setLcrProviderSid(providerSid)
    // loads the carrier names before the routes are rendered
    await cache.prefetchQuery(routeCarriersQuery(actor, providerSid ?? currentProviderSid))
    return table
  }
  const blockedReason = ({ form }: LcrFormState) => {
    if (removals.isRemoving) return messages.removingRoute
    if (!carriers) return undefined
    const account_sid = form.watch('account_sid')
    if (carriers.some((carrier) => isUsable(carrier, account_sid))) return undefined
    return account_sid ? messages.noCarriersOfAccount : messages.noCarriers
  }
  /** Deletes a stored route, and removes it from the form's initial values, so that it is not an unsaved change. */
  const removeStored = async ({ replaceInitialValues }: LcrFormState, lcr_route_sid: string) => {
    const isRemoved = await removal.mutateAsync(lcr_route_sid).then(
      () => true,
      () => false,
    )
    if (!isRemoved) return false
    const storedTable = await readLcrWithRoutes(sid ?? '').catch(() => undefined)
    replaceInitialValues((initialValues) =>
      valuesWithoutRoute(initialValues, lcr_route_sid, storedTable && lcrValues(storedTable, ownAccountSid)),
    )
    toast.ok(messages.routeRemoved)
    return true
  }
  const hasChangedRoutes = (values: LcrValues, record: LcrWithRoutes | undefined) =>
    record !== undefined &&
    JSON.stringify(routesToSend(values)) !== JSON.stringify(routesToSend(lcrValues(record, ownAccountSid)))

  return (
    <ResourceForm<Lcr, LcrValues, LcrWithRoutes>
      resource={lcr}
      sid={sid}
      title={{ add: 'Add outbound call routes', edit: 'Edit outbound call routes' }}
      read={read}
      copy={(table) => copyLcr(table, createCopyName(lcr.title(table)))}
      values={(table) => lcrValues(table, ownAccountSid)}
      body={(values) => ({
        name: values.name.trim(),
        is_active: values.is_active,
        ...ownerOf(values, service_provider_sid),
      })}
      schema={sid ? update : create}
      rules={(values) => lcrErrors(values, carriers)}
      save={async (body, { sid: existingSid, values, record }) => {
        const lcrSave = {
          sid: existingSid,
          body: body as object,
          routes: routesToSend(values),
          version: values.version,
        }
        const lcrSid = await save(lcrSave, (await cache.ensureQueryData(capabilitiesQuery)).routes)
        if (hasChangedRoutes(values, record)) toast.ok(messages.routesSaved)
        return lcrSid
      }}
      addedMessage={messages.added}
      savedMessage={messages.saved}
      nextPath={(newSid, isAdding) =>
        isAdding ? (isAdmin ? paths.routing.list : paths.routing.edit(newSid)) : undefined
      }
      cancel={isAdmin ? paths.routing.list : undefined}
      blockReason={blockedReason}
      onInvalid={(errorPaths) => {
        const [, index] = errorPaths.map((path) => /^routes\.(\d+)/.exec(path)).find(Boolean) ?? []
        if (index !== undefined) setFirstInvalid({ index: Number(index) })
      }}
      actions={({ record }) =>
        record ? (
          <>
            {isAdmin ? <DuplicateButton resource={lcr} row={record} add={paths.routing.add} /> : null}
            {actor.scope === 'service_provider' ? null : (
              <RemoveButton
                resource={lcr}
                row={record}
                removedMessage={(row) => messages.removedOnPage(lcr.title(row))}
                to={isAdmin ? paths.routing.list : paths.routing.add}
              />
            )}
          </>
        ) : null
      }
      aside={() => <NumberTest number={testNumber} onNumber={setTestNumber} carriers={allCarriers} />}
    >
      {(state) => (
        <LcrFields
          state={state}
          carriers={allCarriers}
          testNumber={testNumber}
          firstInvalid={firstInvalid}
          onRemoveStored={(lcr_route_sid) => removals.during(() => removeStored(state, lcr_route_sid))}
        />
      )}
    </ResourceForm>
  )
}
