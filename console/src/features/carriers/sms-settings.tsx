import { maxNetmask } from '@trunkline/contract/telephony/gateways'
import { defaultSmppPort, findMissingOutboundError, type Direction } from '@trunkline/contract/telephony/smpp'
import { Plus, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { SecretField } from '../../fields/secret-field'
import { FormTextField } from '../../fields/text-fields'
import { Button, IconButton } from '../../ui/button'
import { FieldMessage } from '../../ui/form/field-message'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import { CheckboxCell, LabelledCell, NumberCell, TextCell } from './gateway-cells'
import css from './gateway-table.module.css'
import { createEmptySmppGateway, smppListNames } from './smpp-gateways'
import { useGatewayRows, type RemoveStoredGateway } from './use-gateway-rows'
import type { CarrierValues } from './values'

interface DirectionTexts {
  title: string
  help: string
  addressLabel: string
  addressPlaceholder: string
  /** The label of one row. */
  rowLabel: string
  addLabel: string
  systemIdField: 'smpp_system_id' | 'smpp_inbound_system_id'
  passwordField: 'smpp_password' | 'smpp_inbound_password'
}

const textsByDirection: Record<Direction, DirectionTexts> = {
  outbound: {
    title: 'Outbound SMPP',
    help: 'Sends text messages through this carrier. SMPP is the protocol for SMS between systems.',
    addressLabel: 'Address',
    addressPlaceholder: 'IP address or domain name',
    rowLabel: 'Outbound gateway',
    addLabel: 'Add outbound gateway',
    systemIdField: 'smpp_system_id',
    passwordField: 'smpp_password',
  },
  inbound: {
    title: 'Inbound SMPP',
    help: 'Credentials the carrier uses to deliver messages.',
    addressLabel: 'IP address',
    addressPlaceholder: 'IPv4 address',
    rowLabel: 'Inbound gateway',
    addLabel: 'Add inbound gateway',
    systemIdField: 'smpp_inbound_system_id',
    passwordField: 'smpp_inbound_password',
  },
}

/** The column headings after the address, by direction. */
const columnHeadings = { outbound: ['Port', 'Use TLS'], inbound: ['Netmask'] } as const

interface SmppRowProps {
  direction: Direction
  index: number
  readOnly: boolean
  onChanged: () => void
  onRemove: () => void
}

const SmppRow = ({ direction, index, readOnly, onChanged, onRemove }: SmppRowProps) => {
  const { addressLabel, addressPlaceholder, rowLabel } = textsByDirection[direction]
  const path = `${smppListNames[direction]}.${index}` as const
  const name = `${rowLabel} ${index + 1}`
  const { getFieldState, formState } = useFormContext<CarrierValues>()
  const id = useId()
  const error = (['ipv4', 'port', 'netmask'] as const)
    .map((field) => getFieldState(`${path}.${field}`, formState).error?.message)
    .find(Boolean)
  const cellProps = { describedBy: error ? `${id}-error` : undefined, onChanged, readOnly }
  return (
    <div className={css.row} role="group" aria-label={name} data-invalid={error ? true : undefined}>
      <LabelledCell className={css.address} label={addressLabel}>
        <TextCell {...cellProps} name={`${path}.ipv4`} label={addressLabel} placeholder={addressPlaceholder} />
      </LabelledCell>
      {direction === 'outbound' ? (
        <>
          <LabelledCell className={css.port} label="Port">
            <NumberCell {...cellProps} name={`${path}.port`} label="Port" placeholder={String(defaultSmppPort)} />
          </LabelledCell>
          <CheckboxCell {...cellProps} name={`${path}.use_tls`} label="Use TLS" />
        </>
      ) : (
        <LabelledCell className={css.netmask} label="Netmask">
          <NumberCell {...cellProps} name={`${path}.netmask`} label="Netmask" placeholder={String(maxNetmask)} />
        </LabelledCell>
      )}
      <div className={css.actions}>
        {readOnly ? null : <IconButton icon={Trash2} iconSize={14} label={`Delete ${name}`} onClick={onRemove} />}
      </div>
      {error ? (
        <div className={css.error}>
          <FieldMessage id={`${id}-error`}>{error}</FieldMessage>
        </div>
      ) : null}
    </div>
  )
}

interface SmsSettingsProps {
  readOnly: boolean
  onRemoveStored: RemoveStoredGateway
}

const SmppSection = ({ direction, readOnly, onRemoveStored }: SmsSettingsProps & { direction: Direction }) => {
  const { title, help, addressLabel, rowLabel, addLabel, systemIdField, passwordField } = textsByDirection[direction]
  const list = smppListNames[direction]
  const { trigger, getValues } = useFormContext<CarrierValues>()
  const { fields, add, removeAt, revalidate, error, addButton } = useGatewayRows(list, {
    label: `${rowLabel}s`,
    onRemoveStored,
    hasEnoughRows: (rows) => direction === 'inbound' || !findMissingOutboundError(getValues(), rows),
  })
  const [systemId, systemPassword] = useWatch<CarrierValues, [typeof systemIdField, typeof passwordField]>({
    name: [systemIdField, passwordField],
  })
  const isPasswordRequired = direction === 'inbound' && fields.length > 0
  return (
    <Section
      isWide
      title={title}
      help={help}
      error={error}
      required={direction === 'outbound' && Boolean(systemId || systemPassword)}
    >
      <Grid>
        <Cell>
          <FormTextField name={systemIdField} label="System ID" mono maxLength={255} />
        </Cell>
        {/* view-only users do not need the password */}
        {readOnly ? null : (
          <Cell>
            <SecretField name={passwordField} label="Password" maxLength={64} required={isPasswordRequired} />
          </Cell>
        )}
      </Grid>
      {fields.length > 0 ? (
        <div className={`${css.table} ${css.below} ${css[direction]}`}>
          <div className={css.head} aria-hidden="true">
            <span>{addressLabel}</span>
            {columnHeadings[direction].map((heading) => (
              <span key={heading} className={heading === 'Use TLS' ? css.center : undefined}>
                {heading}
              </span>
            ))}
          </div>
          {fields.map((field, index) => (
            <SmppRow
              key={field.id}
              direction={direction}
              index={index}
              readOnly={readOnly}
              onChanged={() => revalidate(index)}
              onRemove={() => {
                // outbound credentials require a gateway: the error appears at once
                const wasOnlyRow = fields.length === 1
                void removeAt(index).then(() => (wasOnlyRow ? trigger(list) : undefined))
              }}
            />
          ))}
        </div>
      ) : null}
      {readOnly ? null : (
        <div className={css.add}>
          <Button ref={addButton} size="sm" icon={Plus} onClick={() => add(createEmptySmppGateway())}>
            {addLabel}
          </Button>
        </div>
      )}
    </Section>
  )
}

/** The SMS settings of a carrier: SMPP servers for outbound and inbound messages. */
export const SmsSettings = (props: SmsSettingsProps) => (
  <>
    <SmppSection {...props} direction="outbound" />
    <SmppSection {...props} direction="inbound" />
  </>
)
