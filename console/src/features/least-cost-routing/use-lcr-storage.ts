import { useQueryClient } from '@tanstack/react-query'
import { messages as generalMessages } from '@trunkline/contract/messages/general'
import { messages } from '@trunkline/contract/messages/lcr'
import { account } from '@trunkline/contract/resources/account'
import { lcr } from '@trunkline/contract/resources/lcr'
import type { Lcr } from '@trunkline/contract/shapes/lcr'
import { useState } from 'react'
import type { FormState, SaveContext } from '../../kit/form/form-props'
import { useReadOrRedirect } from '../../kit/form/use-read-or-redirect'
import { useRowDeletions } from '../../kit/form/use-row-deletions'
import { fetchRecord } from '../../kit/record/record'
import { useRecordAction } from '../../kit/record/record-mutations'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { toast } from '../../ui/feedback/toast'
import { createRouteCarriersQuery } from './carriers-query'
import { attachRoutes, createLcrSaver, readLcrWithRoutes, removeRoute } from './save-lcr'
import {
  dropUnusableCarriers,
  listRoutesToSend,
  listUsableCarrierSids,
  removeRouteFromValues,
  toLcrValues,
  type LcrValues,
  type LcrWithRoutes,
} from './values'

export type LcrFormState = FormState<LcrWithRoutes, LcrValues>

const hasChangedRoutes = (values: LcrValues, record: LcrWithRoutes | undefined) =>
  record !== undefined &&
  JSON.stringify(listRoutesToSend(values)) !== JSON.stringify(listRoutesToSend(toLcrValues(record, null)))

/**
 * Reads and saves the LCR of a form with its routes, and deletes stored routes. `sid`: undefined for a new LCR.
 * `service_provider_sid` is the provider of the LCR, or the current one.
 */
export const useLcrStorage = (sid: string | undefined) => {
  const actor = useActor()
  const currentProviderSid = useProviderSid()
  const cache = useQueryClient()
  const [lcrProviderSid, setLcrProviderSid] = useState<string>()
  const [saveLcr] = useState(createLcrSaver)
  const routeRemoval = useRecordAction('lcr', removeRoute)
  const rowDeletions = useRowDeletions()
  const readLcr = useReadOrRedirect(lcr, generalMessages.noAccess)

  /**
   * Returns the provider of an LCR. An account's LCR does not include it, and an administrator may come from another
   * provider's screens.
   */
  const findProviderSid = async ({ service_provider_sid, account_sid }: Lcr, signal: AbortSignal) => {
    if (service_provider_sid || !account_sid || actor.scope !== 'admin') return service_provider_sid ?? undefined
    return (await fetchRecord(account, account_sid, signal)).service_provider_sid
  }

  const read = async (lcrSid: string, signal: AbortSignal) => {
    const storedLcr = await attachRoutes(await readLcr(lcrSid, signal), signal)
    if (sid === undefined) {
      // a copy belongs to no account, so it may use only the provider's carriers
      const carriers = await cache.ensureQueryData(createRouteCarriersQuery(actor, currentProviderSid))
      return dropUnusableCarriers(storedLcr, listUsableCarrierSids(null, carriers))
    }
    const providerSid = await findProviderSid(storedLcr, signal)
    setLcrProviderSid(providerSid)
    // loads the carrier names before the routes are rendered
    await cache.prefetchQuery(createRouteCarriersQuery(actor, providerSid ?? currentProviderSid))
    return storedLcr
  }

  const save = async (body: object, { sid: existingSid, values, record }: SaveContext<LcrWithRoutes, LcrValues>) => {
    const lcrSave = { sid: existingSid, body, routes: listRoutesToSend(values), version: values.version }
    const lcrSid = await saveLcr(lcrSave, (await cache.ensureQueryData(capabilitiesQuery)).routes)
    if (hasChangedRoutes(values, record)) toast.ok(messages.routesSaved)
    return lcrSid
  }

  /** Deletes a stored route, and removes it from the form's initial values, so that it is not an unsaved change. */
  const removeStoredRoute = async ({ replaceInitialValues }: LcrFormState, lcr_route_sid: string) => {
    const isRemoved = await routeRemoval.mutateAsync(lcr_route_sid).then(
      () => true,
      () => false,
    )
    if (!isRemoved) return false
    const storedLcr = await readLcrWithRoutes(sid ?? '').catch(() => undefined)
    const storedValues = storedLcr && toLcrValues(storedLcr, null)
    replaceInitialValues((initialValues) => removeRouteFromValues(initialValues, lcr_route_sid, storedValues))
    toast.ok(messages.routeRemoved)
    return true
  }

  return {
    service_provider_sid: lcrProviderSid ?? currentProviderSid,
    read,
    save,
    isRemovingRoute: rowDeletions.isRemoving,
    /** Returns false if the route still exists. */
    removeStoredRoute: (state: LcrFormState, lcr_route_sid: string) =>
      rowDeletions.runDeletion(() => removeStoredRoute(state, lcr_route_sid)),
  }
}
