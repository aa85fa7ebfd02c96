import { missingOutboundError, type Direction } from '@trunkline/contract/telephony/smpp'
import { Plus, Trash2 } from 'lucide-react'
import { useId } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { Secret } from '../../fields/secret-field'
import { Text } from '../../fields/text-fields'
import { Button, IconButton } from '../../ui/button'
import { FieldError } from '../../ui/form/field-error'
import { Cell, Grid } from '../../ui/form/form-layout'
import { Section } from '../../ui/form/section'
import { NumberCell, TextCell, TickCell } from './gateway-cells'
import css from './gateway-table.module.css'
import { blankSmpp, smppLists } from './smpp-gateways'
import { useRows, type RemoveStored } from './use-gateway-rows'
import type { CarrierValues } from './values'

interface Words {
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

const words: Record<Direction, Words> = {
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
const heads = { outbound: ['Port', 'Use TLS'], inbound: ['Netmask'] } as const

interface RowProps {
  direction: Direction
  at: number
  readOnly: boolean
  onChanged: () => void
  onRemove: () => void
}

const SmppRow = ({ direction, at, readOnly, onChanged, onRemove }: RowProps) => {
  const { address, placeholder, row } = words[direction]
  const path = `${smppLists[direction]}.${at}` as const
  const name = `${row} ${at + 1}`
  const { getFieldState, formState } = useFormContext<CarrierValues>()
  const id = useId()
  const error = (['ipv4', 'port', 'netmask'] as const)
    .map((field) => getFieldState(`${path}.${field}`, formState).error?.message)
    .find(Boolean)
  const cell = { describedBy: error ? `${id}-error` : undefined, onChanged, readOnly }
  const word = (text: string) => (
    <span className={css.word} aria-hidden="true">
      {text}
    </span>
  )
  return (
    <div className={css.row} role="group" aria-label={name} data-wrong={error ? true : undefined}>
      <div className={css.address}>
        {word(address)}
        <TextCell {...cell} name={`${path}.ipv4`} label={address} placeholder={placeholder} />
      </div>
      {direction === 'outbound' ? (
        <>
          <div className={css.port}>
            {word('Port')}
            <NumberCell {...cell} name={`${path}.port`} label="Port" placeholder="2775" />
          </div>
          <TickCell {...cell} name={`${path}.use_tls`} label="Use TLS" />
        </>
      ) : (
        <div className={css.netmask}>
          {word('Netmask')}
          <NumberCell {...cell} name={`${path}.netmask`} label="Netmask" placeholder="32" />
        </div>
      )}
      <div className={css.tools}>
        {readOnly ? null : <IconButton icon={Trash2} glyph={14} label={`Delete ${name}`} onClick={onRemove} />}
      </div>
      {error ? (
        <div className={css.error}>
          <FieldError id={`${id}-error`}>{error}</FieldError>
        </div>
      ) : null}
    </div>
  )
}

interface SmsProps {
  readOnly: boolean
  onRemoveStored: RemoveStored
}

const SmppSide = ({ direction, readOnly, onRemoveStored }: SmsProps & { direction: Direction }) => {
  const { title, help, address, row, add: addWords, id, password } = words[direction]
  const list = smppLists[direction]
  const { trigger } = useFormContext<CarrierValues>()
  const { getValues } = useFormContext<CarrierValues>()
  const { fields, add, removeAt, recheck, error, addButton } = useRows(list, {
    label: `${row}s`,
    onRemoveStored,
    suffices: (rows) => direction === 'inbound' || !missingOutboundError(getValues(), rows),
  })
  const [user, secret] = useWatch<CarrierValues, [typeof id, typeof password]>({ name: [id, password] })
  const needed = direction === 'inbound' && fields.length > 0
  return (
    <Section title={title} help={help} error={error} required={direction === 'outbound' && Boolean(user || secret)}>
      <Grid>
        <Cell>
          <Text name={id} label="System ID" mono maxLength={255} />
        </Cell>
        {/* view-only users have no use for it */}
        {readOnly ? null : (
          <Cell>
            <Secret name={password} label="Password" maxLength={64} required={needed} />
          </Cell>
        )}
      </Grid>
      {fields.length > 0 ? (
        <div className={`${css.table} ${css.below} ${css[direction]}`}>
          <div className={css.head} aria-hidden="true">
            <span>{address}</span>
            {heads[direction].map((head) => (
              <span key={head} className={head === 'Use TLS' ? css.center : undefined}>
                {head}
              </span>
            ))}
          </div>
          {fields.map((field, at) => (
            <SmppRow
              key={field.id}
              direction={direction}
              at={at}
              readOnly={readOnly}
              onChanged={() => recheck(at)}
              onRemove={() => {
                // the last one may be required: shows that error at once
                const wasLast = fields.length === 1
                void removeAt(at).then(() => (wasLast ? trigger(list) : undefined))
              }}
            />
          ))}
        </div>
      ) : null}
      {readOnly ? null : (
        <div className={css.add}>
          <Button ref={addButton} size="sm" icon={Plus} onClick={() => add(blankSmpp())}>
            {addWords}
          </Button>
        </div>
      )}
    </Section>
  )
}

/** The SMS settings of a carrier: SMPP servers for outbound and inbound messages. */
export const Sms = (props: SmsProps) => (
  <>
    <SmppSide {...props} direction="outbound" />
    <SmppSide {...props} direction="inbound" />
  </>
)
