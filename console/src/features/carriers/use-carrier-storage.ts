import { useQueryClient } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { useState } from 'react'
import type { FieldErrors } from '../../kit/form/form'
import type { FormState } from '../../kit/form/form-props'
import { useRowDeletions } from '../../kit/form/use-row-deletions'
import { refreshAfterChange } from '../../kit/record/record'
import { useRecordAction } from '../../kit/record/record-mutations'
import { Problem } from '../../lib/problem'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { toast } from '../../ui/feedback/toast'
import { createCarrierRequests, readCarrier } from './carrier-requests'
import { listGatewaysToSend, toGatewayBody, toGatewayValues } from './gateways'
import { GatewaysRefusedError, createCarrierSaver } from './save-carrier'
import { listSmppGatewaysToSend, toStoredSmppBody, type SmppBody } from './smpp-gateways'
import {
  removeGatewayFromValues,
  toCarrierValues,
  type CarrierValues,
  type CarrierWithGateways,
  type GatewayListName,
} from './values'

export type CarrierFormState = FormState<CarrierWithGateways, CarrierValues>

const removedMessages: Record<GatewayListName, string> = {
  gateways: messages.gatewayRemoved,
  smppOutbound: messages.smppGatewayRemoved('outbound'),
  smppInbound: messages.smppGatewayRemoved('inbound'),
}

const notifyRemoved = ({ sip, smpp }: { sip: unknown[]; smpp: SmppBody[] }) => {
  if (sip.length > 0) toast.ok(removedMessages.gateways)
  if (smpp.some(({ outbound }) => outbound)) toast.ok(removedMessages.smppOutbound)
  if (smpp.some(({ inbound }) => inbound)) toast.ok(removedMessages.smppInbound)
}

/** Ignores a 404: someone else has already deleted the gateway. */
const ignoreNotFound = (error: unknown) => {
  if (!(error instanceof Problem && error.status === 404)) throw error
}

/**
 * Reads and saves the carrier of a form with its gateways, and deletes stored gateways. `sid`: undefined for a new
 * carrier. `onGatewaysRefused` is called with errors by form path if the server saved the carrier, but refused some of its
 * gateways.
 */
export const useCarrierStorage = (sid: string | undefined, onGatewaysRefused: (errors: FieldErrors) => void) => {
  const actor = useActor()
  const currentProviderSid = useProviderSid()
  const cache = useQueryClient()
  // the state is an object that `read` changes: `requests` then uses the provider of the carrier
  const [providerParams] = useState({ service_provider_sid: currentProviderSid })
  const [requests] = useState(() =>
    createCarrierRequests(actor, providerParams, async () => (await cache.ensureQueryData(capabilitiesQuery)).gateways),
  )
  const [saver] = useState(() => createCarrierSaver(requests))
  const gatewayRemoval = useRecordAction('voip_carrier', ({ list, key }: { list: GatewayListName; key: string }) =>
    (list === 'gateways' ? requests.sip : requests.smpp).remove(key).catch(ignoreNotFound),
  )
  const rowDeletions = useRowDeletions()

  const setStoredGateways = ({ gateways, smppGateways }: CarrierWithGateways) =>
    saver.setStored(
      gateways.map((row) => [row.sip_gateway_sid, toGatewayBody(toGatewayValues(row))]),
      smppGateways.map((row) => [row.smpp_gateway_sid, toStoredSmppBody(row)]),
    )

  const read = async (carrierSid: string, signal: AbortSignal) => {
    const carrier = await readCarrier(actor, carrierSid, signal)
    // a copy has nothing stored yet
    if (sid === undefined) return carrier
    setStoredGateways(carrier)
    providerParams.service_provider_sid = carrier.service_provider_sid ?? currentProviderSid
    return carrier
  }

  const save = async (body: object, values: CarrierValues) => {
    try {
      const sipRows = listGatewaysToSend(values.gateways, values.trunk_type)
      const smppRows = listSmppGatewaysToSend(values)
      const result = await saver.save({ sid, body, version: values.version, sipRows, smppRows })
      notifyRemoved(result.removed)
      return result.sid
    } catch (error) {
      if (!(error instanceof GatewaysRefusedError)) throw error
      void refreshAfterChange(cache, 'voip_carrier')
      toast.bad(messages.gatewaysNotSaved)
      onGatewaysRefused(error.errors)
      const [[field, msg] = ['', '']] = Object.entries(error.errors)
      throw new Problem(400, { msg, field })
    }
  }

  /** Deletes a stored gateway, and removes it from the form's initial values, so that it is not an unsaved change. */
  const removeGateway = async ({ replaceInitialValues }: CarrierFormState, list: GatewayListName, key: string) => {
    const isRemoved = await gatewayRemoval.mutateAsync({ list, key }).then(
      () => true,
      () => false,
    )
    if (!isRemoved) return false
    const storedCarrier = await readCarrier(actor, sid ?? '').catch(() => undefined)
    if (storedCarrier) setStoredGateways(storedCarrier)
    const storedValues = storedCarrier && toCarrierValues(storedCarrier, null)
    replaceInitialValues((initialValues) => removeGatewayFromValues(initialValues, list, key, storedValues))
    toast.ok(removedMessages[list])
    return true
  }

  return {
    read,
    save,
    isRemovingGateway: rowDeletions.isRemoving,
    /** Returns false if the gateway still exists. */
    removeGateway: (state: CarrierFormState, list: GatewayListName, key: string) =>
      rowDeletions.runDeletion(() => removeGateway(state, list, key)),
  }
}
