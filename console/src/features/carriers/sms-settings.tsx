import { findMissingOutboundError, type Direction } from '@trunkline/contract/telephony/smpp'
import { Plus, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { SecretField } from '../../fields/secret-field'
import { FormTextField } from '../../fields/text-fields'
import { Button, IconButton } from '../../ui/button'
import { FieldMessage } from '../../ui/form/field-message'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import { NumberCell, TextCell, TickCell } from './gateway-cells'
import css from './gateway-table.module.css'
import { newSmppGateway, smppLists } from './smpp-gateways'
import { useGatewayRows, type RemoveStored } from './use-gateway-rows'
import type { CarrierValues } from './values'

interface DirectionTexts {
  title: string
  help: string
  address: string
  placeholder: string
  /** The label of one row. */
  row: string
  add: string
  id: 'smpp_system_id' | 'smpp_inbound_system_id'
  password: 'smpp_password' | 'smpp_inbound_password'
}

const textsByDirection: Record<Direction, DirectionTexts> = {
  outbound: {
    title: 'Outbound SMPP',
    help: 'Sends text messages through this carrier. SMPP is the protocol for SMS between systems.',
    address: 'Address',
    placeholder: 'IP address or domain name',
    row: 'Outbound gateway',
    add: 'Add outbound gateway',
    id: 'smpp_system_id',
    password: 'smpp_password',
  },
  inbound: {
    title: 'Inbound SMPP',
    help: 'Credentials the carrier uses to deliver messages.',
    address: 'IP address',
    placeholder: 'IPv4 address',
    row: 'Inbound gateway',
    add: 'Add inbound gateway',
    id: 'smpp_inbound_system_id',
    password: 'smpp_inbound_password',
  },
}

/** The column headings after the address, by direction. */
const columnHeadings = { outbound: ['Port', 'Use TLS'], inbound: ['Netmask'] } as const

interface RowProps {
  direction: Direction
  index: number
  readOnly: boolean
  onChanged: () => void
  onRemove: () => void
}

const SmppRow = ({ direction, index, readOnly, onChanged, onRemove }: RowProps) => {
  const { address, placeholder, row } = textsByDirection[direction]
  const path = `${smppLists[direction]}.${index}` as const
  const name = `${row} ${index + 1}`
  const { getFieldState, formState } = useFormContext<CarrierValues>()
  const id = useId()
  const error = (['ipv4', 'port', 'netmask'] as const)
    .map((field) => getFieldState(`${path}.${field}`, formState).error?.message)
    .find(Boolean)
  const cellProps = { describedBy: error ? `${id}-error` : undefined, onChanged, readOnly }
  const renderLabel = (text: string) => (
    <span className={css.word} aria-hidden="true">
      {text}
    </span>
  )
  return (
    <div className={css.row} role="group" aria-label={name} data-wrong={error ? true : undefined}>
      <div className={css.address}>
        {renderLabel(address)}
        <TextCell {...cellProps} name={`${path}.ipv4`} label={address} placeholder={placeholder} />
      </div>
      {direction === 'outbound' ? (
        <>
          <div className={css.port}>
            {renderLabel('Port')}
            <NumberCell {...cellProps} name={`${path}.port`} label="Port" placeholder="2775" />
          </div>
          <TickCell {...cellProps} name={`${path}.use_tls`} label="Use TLS" />
        </>
      ) : (
        <div className={css.netmask}>
          {renderLabel('Netmask')}
          <NumberCell {...cellProps} name={`${path}.netmask`} label="Netmask" placeholder="32" />
        </div>
      )}
      <div className={css.tools}>
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
  onRemoveStored: RemoveStored
}

const SmppSection = ({ direction, readOnly, onRemoveStored }: SmsSettingsProps & { direction: Direction }) => {
  const { title, help, address, row, add: addLabel, id, password } = textsByDirection[direction]
  const list = smppLists[direction]
  const { trigger } = useFormContext<CarrierValues>()
  const { getValues } = useFormContext<CarrierValues>()
  const { fields, add, removeAt, validateAgain, error, addButton } = useGatewayRows(list, {
    label: `${row}s`,
    onRemoveStored,
    areEnough: (rows) => direction === 'inbound' || !findMissingOutboundError(getValues(), rows),
  })
  const [systemId, systemPassword] = useWatch<CarrierValues, [typeof id, typeof password]>({ name: [id, password] })
  const isRequired = direction === 'inbound' && fields.length > 0
  return (
    <Section
      title={title}
      help={help}
      error={error}
      required={direction === 'outbound' && Boolean(systemId || systemPassword)}
    >
      <Grid>
        <Cell>
          <FormTextField name={id} label="System ID" mono maxLength={255} />
        </Cell>
        {/* view-only users have no use for it */}
        {readOnly ? null : (
          <Cell>
            <SecretField name={password} label="Password" maxLength={64} required={isRequired} />
          </Cell>
        )}
      </Grid>
      {fields.length > 0 ? (
        <div className={`${css.table} ${css.below} ${css[direction]}`}>
          <div className={css.head} aria-hidden="true">
            <span>{address}</span>
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
              onChanged={() => validateAgain(index)}
              onRemove={() => {
                // the last one may be required: shows that error at once
                const wasLast = fields.length === 1
                void removeAt(index).then(() => (wasLast ? trigger(list) : undefined))
              }}
            />
          ))}
        </div>
      ) : null}
      {readOnly ? null : (
        <div className={css.add}>
          <Button ref={addButton} size="sm" icon={Plus} onClick={() => add(newSmppGateway())}>
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
