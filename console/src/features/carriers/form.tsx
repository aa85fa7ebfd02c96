import { messages } from '@trunkline/contract/messages/voip-carrier'
import { voipCarrier } from '@trunkline/contract/resources/voip-carrier'
import {
  voipCarrierDraftSchema,
  voipCarrierChangesSchema,
  type VoipCarrier,
} from '@trunkline/contract/shapes/voip-carrier'
import { useRef, useState, type Ref } from 'react'
import { FlagField } from '../../fields/flag-field'
import { FormTextField } from '../../fields/text-fields'
import { CopyRecordButton, createCopyName, useCopySourceSid } from '../../kit/record/copy-record'
import { ResourceForm, type FieldErrors } from '../../kit/form/form'
import { RemoveButton } from '../../kit/record/remove-button'
import { flattenErrors } from '../../kit/form/resolver'
import { paths } from '../../lib/paths'
import { useActor } from '../../session/session'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import { Tabs } from '../../ui/tabs'
import { SideColumn, type CarrierTab } from './side-column'
import type { GatewayTableHandle } from './gateway-table'
import { CarrierSettings } from './page'
import { PredefinedCarrierSelect } from './predefined-carrier-select'
import { useCarrierRemoval } from './carrier-removal'
import { SmsSettings } from './sms-settings'
import { useCarrierStorage, type CarrierFormState } from './use-carrier-storage'
import type { RemoveStoredGateway } from './use-gateway-rows'
import {
  findCarrierErrors,
  toCarrierBody,
  toCarrierValues,
  prepareCarrierCopy,
  type CarrierValues,
  type CarrierWithGateways,
} from './values'
import { VoiceSettings } from './voice-settings'

/** The tab that contains a field; undefined for the name, which is above both tabs. */
const getTabOfField = (path: string): CarrierTab | undefined => {
  if (path === 'name') return undefined
  return path.startsWith('smpp') ? 'sms' : 'voice'
}

const countErrors = (tab: CarrierTab, errors: object) =>
  Object.keys(flattenErrors(errors)).filter((path) => getTabOfField(path) === tab).length

/** The name of the carrier and whether it is active. A new carrier can be created from a predefined one instead. */
const GeneralSection = ({ canSelectPredefined }: { canSelectPredefined: boolean }) => (
  <Section title="General">
    <Grid>
      <Cell span={canSelectPredefined ? 6 : 12}>
        <FormTextField name="name" label="Carrier name" required maxLength={64} />
      </Cell>
      {canSelectPredefined ? (
        <Cell>
          <PredefinedCarrierSelect />
        </Cell>
      ) : null}
      <Cell span={12}>
        <FlagField name="is_active" label="Active" />
      </Cell>
    </Grid>
  </Section>
)

interface SettingsTabsProps {
  state: CarrierFormState
  tab: CarrierTab
  onTabChange: (tab: CarrierTab) => void
  gatewayTable: Ref<GatewayTableHandle>
  onRemoveStored: RemoveStoredGateway
}

const SettingsTabs = ({ state, tab, onTabChange, gatewayTable, onRemoveStored }: SettingsTabsProps) => {
  const { form, record, readOnly } = state
  const { errors } = form.formState
  return (
    <Tabs
      label="Carrier"
      keepMounted
      value={tab}
      onChange={(nextTab) => onTabChange(nextTab as CarrierTab)}
      tabs={[
        {
          id: 'voice',
          label: 'Voice',
          errorCount: countErrors('voice', errors),
          content: (
            <VoiceSettings
              readOnly={readOnly}
              isStored={record !== undefined}
              gatewayTable={gatewayTable}
              onRemoveStored={onRemoveStored}
            />
          ),
        },
        {
          id: 'sms',
          label: 'SMS',
          errorCount: countErrors('sms', errors),
          content: <SmsSettings readOnly={readOnly} onRemoveStored={onRemoveStored} />,
        },
      ]}
    />
  )
}

/**
 * Adds or edits a carrier with its gateways. The Save button stores every change except the deletion of a gateway, which
 * happens at once.
 */
export const CarrierForm = ({ sid }: { sid?: string }) =>
  sid === undefined ? (
    <CarrierRecordForm />
  ) : (
    <CarrierSettings sid={sid}>
      <CarrierRecordForm sid={sid} />
    </CarrierSettings>
  )

const CarrierRecordForm = ({ sid }: { sid?: string }) => {
  const actor = useActor()
  const carrierRemoval = useCarrierRemoval()
  const isCopy = useCopySourceSid() !== undefined
  const [canSelectPredefined, setCanSelectPredefined] = useState(sid === undefined && !isCopy)
  const [tab, setTab] = useState<CarrierTab>('voice')
  const gatewayTable = useRef<GatewayTableHandle>(null)
  const ownAccountSid = actor.scope === 'account' ? actor.account_sid : null

  const showRefusedGateways = (errors: FieldErrors) => {
    // the carrier is already stored, so a predefined one can no longer be selected
    setCanSelectPredefined(false)
    gatewayTable.current?.showErrors(errors)
  }
  const { read, save, removeGateway, isRemovingGateway } = useCarrierStorage(sid, showRefusedGateways)

  /** Opens the tab of the first invalid field, so that the field can take the focus. */
  const openTabOfError = (errorPaths: string[]) => {
    const tabs = errorPaths.map(getTabOfField)
    if (tabs.includes(undefined) || tabs.includes(tab)) return
    setTab(tabs[0] ?? tab)
  }

  return (
    <ResourceForm<VoipCarrier, CarrierValues, CarrierWithGateways>
      resource={voipCarrier}
      sid={sid}
      title={{ add: 'Add carrier', edit: 'Edit carrier' }}
      read={read}
      copy={(record) => ({ ...prepareCarrierCopy(record), name: createCopyName(record.name) })}
      values={(row) => toCarrierValues(row, ownAccountSid)}
      body={toCarrierBody}
      schema={sid ? voipCarrierChangesSchema : voipCarrierDraftSchema}
      rules={findCarrierErrors}
      save={(body, { values }) => save(body as object, values)}
      addedMessage={messages.added}
      savedMessage={messages.saved}
      nextPath={(_sid, isNew) => (isNew ? paths.carriers.list : undefined)}
      cancelPath={paths.carriers.list}
      blockReason={() => (isRemovingGateway ? messages.removingGateway : undefined)}
      actions={({ record }) =>
        record ? (
          <>
            <CopyRecordButton resource={voipCarrier} row={record} addPath={paths.carriers.add} />
            <RemoveButton {...carrierRemoval} resource={voipCarrier} row={record} nextPath={paths.carriers.list} />
          </>
        ) : null
      }
      onInvalid={(errorPaths) => {
        openTabOfError(errorPaths)
        if (errorPaths.includes('gateways')) gatewayTable.current?.focusAddButton()
      }}
      aside={({ form, record }) => <SideColumn row={record} account_sid={form.watch('account_sid')} tab={tab} />}
    >
      {(state) => (
        <>
          <GeneralSection canSelectPredefined={canSelectPredefined} />
          <SettingsTabs
            state={state}
            tab={tab}
            onTabChange={setTab}
            gatewayTable={gatewayTable}
            onRemoveStored={(list, key) => removeGateway(state, list, key)}
          />
        </>
      )}
    </ResourceForm>
  )
}
