import { useQueryClient } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/voip-carrier'
import { voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import { create, update, type VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { useRef, useState } from 'react'
import { FlagField } from '../../fields/flag-field'
import { FormTextField } from '../../fields/text-fields'
import { DuplicateButton, createCopyName, useCopySourceSid } from '../../kit/record/duplicate'
import { ResourceForm } from '../../kit/form/form'
import type { FormState } from '../../kit/form/form-props'
import { refreshAfterChange, useRecordAction } from '../../kit/record/record'
import { RemoveButton } from '../../kit/record/remove-button'
import { flattenErrors } from '../../kit/form/resolver'
import { useRowDeletions } from '../../kit/form/use-row-deletions'
import { capabilitiesQuery } from '../../lib/server-capabilities'
import { paths } from '../../lib/paths'
import { Problem } from '../../lib/problem'
import { useProviderSid } from '../../session/current-provider'
import { useActor } from '../../session/session'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import { Tabs } from '../../ui/tabs'
import { toast } from '../../ui/feedback/toast'
import { SideColumn, type TabId } from './side-column'
import { carrierRequests, readCarrier } from './carrier-requests'
import type { GatewayTableHandle } from './gateway-table'
import { gatewayBody, gatewayValues, gatewaysToSend } from './gateways'
import { PredefinedCarrierSelect } from './predefined-carrier-select'
import { useCarrierRemoval } from './carrier-removal'
import { GatewaysRefusedError, createCarrierSaver } from './save-carrier'
import { SmsSettings } from './sms-settings'
import { smppGatewaysToSend, storedSmppBody, type SmppBody } from './smpp-gateways'
import {
  carrierErrors,
  carrierDraft,
  carrierValues,
  copyCarrier,
  valuesWithoutGateway,
  type CarrierValues,
  type CarrierWithGateways,
} from './values'
import type { ListName } from './use-gateway-rows'
import { VoiceSettings } from './voice-settings'

/** The tab that contains a field; the name is above both tabs. */
const tabOf = (path: string): TabId | undefined => {
  if (path === 'name') return undefined
  return path.startsWith('smpp') ? 'sms' : 'voice'
}

const countErrors = (tab: TabId, errors: object) =>
  Object.keys(flattenErrors(errors)).filter((path) => tabOf(path) === tab).length

const notifyRemoved = ({ sip, smpp }: { sip: unknown[]; smpp: SmppBody[] }) => {
  if (sip.length > 0) toast.ok(messages.gatewayRemoved)
  if (smpp.some(({ outbound }) => outbound)) toast.ok(messages.smppGatewayRemoved('outbound'))
  if (smpp.some(({ inbound }) => inbound)) toast.ok(messages.smppGatewayRemoved('inbound'))
}

const removedMessages: Record<ListName, string> = {
  gateways: messages.gatewayRemoved,
  smppOutbound: messages.smppGatewayRemoved('outbound'),
  smppInbound: messages.smppGatewayRemoved('inbound'),
}

/** Ignores a 404: someone else has already deleted the gateway. */
const ignoreNotFound = (error: unknown) => {
  if (!(error instanceof Problem && error.status === 404)) throw error
}

type CarrierFormState = FormState<CarrierWithGateways, CarrierValues>

/**
 * Adds or edits a carrier with its gateways. Save stores everything except deleted gateways, which are deleted at once.
 */
export const CarrierForm = ({ sid }: { sid?: string }) => {
  const actor = useActor()
  const service_provider_sid = useProviderSid()
  const cache = useQueryClient()
  const carrierRemoval = useCarrierRemoval()
  const copiedRecord = useCopySourceSid()
  const [writeProvider] = useState({ service_provider_sid })
  const [requests] = useState(() =>
    carrierRequests(actor, writeProvider, async () => (await cache.ensureQueryData(capabilitiesQuery)).gateways),
  )
  const [saver] = useState(() => createCarrierSaver(requests))
  const gatewayRemoval = useRecordAction('voip_carrier', ({ list, key }: { list: ListName; key: string }) =>
    (list === 'gateways' ? requests.sip : requests.smpp).remove(key).catch(ignoreNotFound),
  )
  const removals = useRowDeletions()
  const [hasStarted, setHasStarted] = useState(sid !== undefined || copiedRecord !== undefined)
  const [tab, setTab] = useState<TabId>('voice')
  const table = useRef<GatewayTableHandle>(null)
  const ownAccountSid = actor.scope === 'account' ? actor.account_sid : null

  const setStoredGateways = ({ gateways, smpp }: CarrierWithGateways) =>
    saver.setStored(
      gateways.map((row) => [row.sip_gateway_sid, gatewayBody(gatewayValues(row))]),
      smpp.map((row) => [row.smpp_gateway_sid, storedSmppBody(row)]),
    )

  const read = async (carrierSid: string, signal: AbortSignal) => {
    const carrier = await readCarrier(actor, carrierSid, signal)
    // a copy has nothing stored yet
    if (sid === undefined) return carrier
    setStoredGateways(carrier)
    writeProvider.service_provider_sid = carrier.service_provider_sid ?? service_provider_sid
    return carrier
  }

  const save = async (body: object, values: CarrierValues) => {
    try {
      const sip = gatewaysToSend(values.gateways, values.trunk_type)
      const result = await saver.save({ sid, body, version: values.version, sip, smpp: smppGatewaysToSend(values) })
      notifyRemoved(result.removed)
      return result.sid
    } catch (error) {
      if (!(error instanceof GatewaysRefusedError)) throw error
      void refreshAfterChange(cache, 'voip_carrier')
      // the carrier is stored, so a predefined one can no longer be selected
      setHasStarted(true)
      toast.bad(messages.gatewaysNotSaved)
      table.current?.showErrors(error.errors)
      const [[field, msg] = ['', '']] = Object.entries(error.errors)
      throw new Problem(400, { msg, field })
    }
  }

  /** Deletes a stored gateway, and removes it from the form's initial values, so that it is not an unsaved change. */
  const removeGateway = async ({ replaceInitialValues }: CarrierFormState, list: ListName, key: string) => {
    const isRemoved = await gatewayRemoval.mutateAsync({ list, key }).then(
      () => true,
      () => false,
    )
    if (!isRemoved) return false
    const storedCarrier = await readCarrier(actor, sid ?? '').catch(() => undefined)
    if (storedCarrier) setStoredGateways(storedCarrier)
    replaceInitialValues((initialValues) =>
      valuesWithoutGateway(initialValues, list, key, storedCarrier && carrierValues(storedCarrier, ownAccountSid)),
    )
    toast.ok(removedMessages[list])
    return true
  }

  const removeStored = (state: CarrierFormState, list: ListName, key: string) =>
    removals.during(() => removeGateway(state, list, key))

  /** Opens the tab of the first invalid field, so that the field can take the focus. */
  const openTabOf = (errorPaths: string[]) => {
    const tabs = errorPaths.map(tabOf)
    if (tabs.includes(undefined) || tabs.includes(tab)) return
    setTab(tabs[0] ?? tab)
  }

  return (
    <ResourceForm<VoipCarrier, CarrierValues, CarrierWithGateways>
      resource={voipCarrier}
      sid={sid}
      title={{ add: 'Add carrier', edit: 'Edit carrier' }}
      read={read}
      copy={(record) => ({ ...copyCarrier(record), name: createCopyName(record.name) })}
      values={(row) => carrierValues(row, ownAccountSid)}
      body={carrierDraft}
      schema={sid ? update : create}
      rules={carrierErrors}
      save={(body, { values }) => save(body as object, values)}
      addedMessage={messages.added}
      savedMessage={messages.saved}
      nextPath={(_saved, isAdding) => (isAdding ? paths.carriers.list : undefined)}
      cancel={paths.carriers.list}
      blockReason={() => (removals.isRemoving ? messages.removingGateway : undefined)}
      actions={({ record }) =>
        record ? (
          <>
            <DuplicateButton resource={voipCarrier} row={record} add={paths.carriers.add} />
            <RemoveButton {...carrierRemoval} resource={voipCarrier} row={record} to={paths.carriers.list} />
          </>
        ) : null
      }
      onInvalid={(errorPaths) => {
        openTabOf(errorPaths)
        if (errorPaths.includes('gateways')) table.current?.focusAdd()
      }}
      aside={({ form, record }) => <SideColumn row={record} account_sid={form.watch('account_sid')} tab={tab} />}
    >
      {(state) => (
        <>
          <Section>
            <Grid>
              <Cell span={hasStarted ? 12 : 6}>
                <FormTextField name="name" label="Carrier name" required maxLength={64} />
              </Cell>
              {hasStarted ? null : (
                <Cell>
                  <PredefinedCarrierSelect />
                </Cell>
              )}
              <Cell span={12}>
                <FlagField name="is_active" label="Active" />
              </Cell>
            </Grid>
          </Section>
          <Tabs
            label="Carrier"
            keep
            value={tab}
            onChange={(nextTab) => setTab(nextTab as TabId)}
            tabs={[
              {
                id: 'voice',
                label: 'Voice',
                wrong: countErrors('voice', state.form.formState.errors),
                content: (
                  <VoiceSettings
                    readOnly={state.readOnly}
                    isStored={sid !== undefined}
                    table={table}
                    onRemoveStored={(list, key) => removeStored(state, list, key)}
                  />
                ),
              },
              {
                id: 'sms',
                label: 'SMS',
                wrong: countErrors('sms', state.form.formState.errors),
                content: (
                  <SmsSettings
                    readOnly={state.readOnly}
                    onRemoveStored={(list, key) => removeStored(state, list, key)}
                  />
                ),
              },
            ]}
          />
        </>
      )}
    </ResourceForm>
  )
}
