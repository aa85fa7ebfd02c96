import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/lcr'
import { lcr } from '@trunkline/contract/resources/lcr'
import { lcrDraftSchema, lcrChangesSchema, type Lcr } from '@trunkline/contract/shapes/lcr'
import { useMemo, useState } from 'react'
import { CopyRecordButton, createCopyName } from '../../kit/record/copy-record'
import { ResourceForm } from '../../kit/form/form'
import { RemoveButton } from '../../kit/record/remove-button'
import { paths } from '../../lib/paths'
import { useActor } from '../../session/session'
import { createRouteCarriersQuery } from './carriers-query'
import { LcrFields } from './lcr-fields'
import { NumberTest } from './number-test'
import { useLcrStorage, type LcrFormState } from './use-lcr-storage'
import {
  prepareLcrCopy,
  findLcrErrors,
  toLcrValues,
  isCarrierUsable,
  type LcrValues,
  type LcrWithRoutes,
} from './values'

const toOwner = ({ account_sid }: LcrValues, service_provider_sid: string) => ({
  account_sid,
  service_provider_sid: account_sid ? null : service_provider_sid,
})

/** Returns the index of the first route with an error, if any. */
const findInvalidRoute = (errorPaths: string[]): number | undefined => {
  const [, index] = errorPaths.map((path) => /^routes\.(\d+)/.exec(path)).find(Boolean) ?? []
  return index === undefined ? undefined : Number(index)
}

/** Adds or edits an LCR. The Save button stores every change except the deletion of a route, which happens at once. */
export const LcrForm = ({ sid }: { sid?: string }) => {
  const actor = useActor()
  const { service_provider_sid, read, save, removeStoredRoute, isRemovingRoute } = useLcrStorage(sid)
  const { data: carriers } = useQuery(createRouteCarriersQuery(actor, service_provider_sid))
  const loadedCarriers = useMemo(() => carriers ?? [], [carriers])
  const [testNumber, setTestNumber] = useState('')
  const [firstInvalid, setFirstInvalid] = useState<{ index: number }>()
  const isAdmin = actor.scope === 'admin'
  const ownAccountSid = actor.scope === 'account' ? actor.account_sid : null

  const getBlockReason = ({ form }: LcrFormState) => {
    if (isRemovingRoute) return messages.removingRoute
    if (!carriers) return undefined
    const account_sid = form.watch('account_sid')
    if (carriers.some((carrier) => isCarrierUsable(carrier, account_sid))) return undefined
    return account_sid ? messages.noCarriersOfAccount : messages.noCarriers
  }

  return (
    <ResourceForm<Lcr, LcrValues, LcrWithRoutes>
      resource={lcr}
      sid={sid}
      title={{ add: 'Add routing table', edit: 'Edit routing table' }}
      read={read}
      copy={(record) => prepareLcrCopy(record, createCopyName(lcr.title(record)))}
      values={(record) => toLcrValues(record, ownAccountSid)}
      body={(values) => ({
        name: values.name.trim(),
        is_active: values.is_active,
        ...toOwner(values, service_provider_sid),
      })}
      schema={sid ? lcrChangesSchema : lcrDraftSchema}
      rules={(values) => findLcrErrors(values, carriers)}
      save={(body, context) => save(body as object, context)}
      addedMessage={messages.added}
      savedMessage={messages.saved}
      nextPath={(newSid, isNew) => (isNew ? (isAdmin ? paths.lcrs.list : paths.lcrs.edit(newSid)) : undefined)}
      cancelPath={isAdmin ? paths.lcrs.list : undefined}
      blockReason={getBlockReason}
      onInvalid={(errorPaths) => {
        const index = findInvalidRoute(errorPaths)
        if (index !== undefined) setFirstInvalid({ index })
      }}
      actions={({ record }) =>
        record ? (
          <>
            {isAdmin ? <CopyRecordButton resource={lcr} row={record} addPath={paths.lcrs.add} /> : null}
            {actor.scope === 'service_provider' ? null : (
              <RemoveButton
                resource={lcr}
                row={record}
                question={(row) => messages.confirmRemoval(lcr.title(row))}
                removedMessage={(row) => messages.removedOnScreen(lcr.title(row))}
                nextPath={isAdmin ? paths.lcrs.list : paths.lcrs.add}
              />
            )}
          </>
        ) : null
      }
      aside={() => <NumberTest number={testNumber} onNumberChange={setTestNumber} carriers={loadedCarriers} />}
    >
      {(state) => (
        <LcrFields
          state={state}
          carriers={loadedCarriers}
          testNumber={testNumber}
          firstInvalid={firstInvalid}
          onRemoveStored={(lcr_route_sid) => removeStoredRoute(state, lcr_route_sid)}
        />
      )}
    </ResourceForm>
  )
}
