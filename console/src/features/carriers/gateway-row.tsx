import { isDomain, isIPv4 } from '@trunkline/contract/telephony/address'
import { defaultSipPort, isIdentifiedByAddress, maxNetmask, protocols } from '@trunkline/contract/telephony/gateways'
import { ChevronDown, ChevronUp, Trash2 } from 'lucide-react'
import { useId, useRef, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { FlagField } from '../../fields/flag-field'
import { IconButton } from '../../ui/button'
import { FieldMessage } from '../../ui/form/field-message'
import { CheckboxCell, LabelledCell, NumberCell, ProtocolCell, TextCell, type CellProps } from './gateway-cells'
import css from './gateway-table.module.css'
import { usesEncryption, type GatewayValues } from './gateways'
import type { CarrierValues } from './values'

/** The fields whose errors appear below the row, in order of precedence. */
const fieldsWithErrors = ['ipv4', 'port', 'netmask', 'inbound'] as const

/** Settings that are rarely needed. */
const advancedLabels = { pad_crypto: 'Pad crypto', send_options_ping: 'Send OPTIONS ping' } as const
/** Settings that apply only to encrypted signalling. */
const secureLabels = {
  use_sips_scheme: 'Use sips: scheme',
  remove_ice: 'Remove ICE',
  dtls_off: 'Turn DTLS off',
} as const

type AdvancedSetting = keyof typeof advancedLabels | keyof typeof secureLabels

const listAdvancedSettings = (row: GatewayValues) =>
  Object.entries({ ...advancedLabels, ...(usesEncryption(row) ? secureLabels : {}) }) as [AdvancedSetting, string][]

export interface GatewayRowProps {
  index: number
  /** Position among the visible rows, from 1. */
  number: number
  /** Called after each change, to validate the table again. */
  onChanged: () => void
  onRemove: () => void
  readOnly: boolean
}

type GatewayPath = `gateways.${number}`

/** Fills in the default port once an IP address was entered. Typing replaces it. */
const useDefaultPort = (path: GatewayPath) => {
  const { getValues, setValue } = useFormContext<CarrierValues>()
  const hasDefaultPort = useRef(false)
  return {
    /** Fills in the default port for an IP address. A hostname keeps an empty port, because DNS may return one. */
    fillDefaultPort: () => {
      const { ipv4, port } = getValues(path)
      if (port !== null || !isIPv4(ipv4.trim())) return
      setValue(`${path}.port`, defaultSipPort, { shouldDirty: true })
      hasDefaultPort.current = true
    },
    /** Selects the default port on the first click, so that typing replaces it. */
    selectDefaultPort: (input: HTMLInputElement) => {
      if (hasDefaultPort.current) input.select()
      hasDefaultPort.current = false
    },
  }
}

interface GatewayCellsProps extends Pick<CellProps, 'describedBy' | 'onChanged' | 'readOnly'> {
  path: GatewayPath
}

/** The address of a gateway and how to reach it. */
const ConnectionCells = ({ path, row, ...cellProps }: GatewayCellsProps & { row: GatewayValues }) => {
  const { fillDefaultPort, selectDefaultPort } = useDefaultPort(path)
  return (
    <>
      <LabelledCell className={css.address} label="Address">
        <TextCell
          {...cellProps}
          name={`${path}.ipv4`}
          label="Address"
          placeholder="IP address or domain name"
          onCommit={fillDefaultPort}
        />
      </LabelledCell>
      <LabelledCell className={css.port} label="Port">
        <NumberCell
          {...cellProps}
          name={`${path}.port`}
          label="Port"
          placeholder={String(defaultSipPort)}
          onClick={selectDefaultPort}
        />
      </LabelledCell>
      <LabelledCell className={css.netmask} label="Netmask">
        <NumberCell
          {...cellProps}
          name={`${path}.netmask`}
          label="Netmask"
          placeholder={String(maxNetmask)}
          // a netmask does not apply to a hostname
          isUnused={isDomain(row.ipv4.trim())}
        />
      </LabelledCell>
      <LabelledCell className={css.protocol} label="Protocol">
        <ProtocolCell
          {...cellProps}
          name={`${path}.protocol`}
          label="Protocol"
          options={protocols}
          isUnused={!row.outbound}
        />
      </LabelledCell>
    </>
  )
}

/** Whether a gateway is active, and the directions of its calls. */
const FlagCells = ({ path, ...cellProps }: GatewayCellsProps) => {
  const trunkType = useWatch<CarrierValues, 'trunk_type'>({ name: 'trunk_type' })
  // other trunk types identify the carrier by other means, so their gateways are outbound only
  const canBeInbound = isIdentifiedByAddress(trunkType)
  return (
    <>
      <CheckboxCell {...cellProps} name={`${path}.is_active`} label="Active" />
      <CheckboxCell {...cellProps} name={`${path}.inbound`} label="Inbound" isUnused={!canBeInbound} />
      <CheckboxCell
        {...cellProps}
        name={`${path}.outbound`}
        label="Outbound"
        readOnly={cellProps.readOnly || !canBeInbound}
      />
    </>
  )
}

/** One SIP gateway: its cells, the rarely needed settings below, and its error message. */
export const GatewayRow = ({ index, number, onChanged, onRemove, readOnly }: GatewayRowProps) => {
  const path = `gateways.${index}` as const
  const name = `SIP gateway ${number}`
  const { getFieldState, formState } = useFormContext<CarrierValues>()
  const row = useWatch<CarrierValues, typeof path>({ name: path })
  const [isOpen, setIsOpen] = useState(() => listAdvancedSettings(row).some(([field]) => row[field]))
  const id = useId()
  const error = fieldsWithErrors
    .map((field) => getFieldState(`${path}.${field}`, formState).error?.message)
    .find(Boolean)
  const cellProps = { describedBy: error ? `${id}-error` : undefined, onChanged, readOnly }
  return (
    <div className={css.row} role="group" aria-label={name} data-invalid={error ? true : undefined}>
      <ConnectionCells path={path} row={row} {...cellProps} />
      <FlagCells path={path} {...cellProps} />
      <div className={css.actions}>
        <IconButton
          icon={isOpen ? ChevronUp : ChevronDown}
          iconSize={14}
          label={`More settings of ${name}`}
          aria-expanded={isOpen}
          aria-controls={`${id}-advanced`}
          onClick={() => setIsOpen(!isOpen)}
        />
        {readOnly ? null : <IconButton icon={Trash2} iconSize={14} label={`Delete ${name}`} onClick={onRemove} />}
      </div>
      <div id={`${id}-advanced`} className={css.advanced} hidden={!isOpen}>
        {isOpen
          ? listAdvancedSettings(row).map(([field, label]) => (
              <FlagField
                key={field}
                name={`${path}.${field}`}
                label={label}
                disabled={readOnly || (field === 'send_options_ping' && !row.outbound)}
              />
            ))
          : null}
      </div>
      {error ? (
        <div className={css.error}>
          <FieldMessage id={`${id}-error`}>{error}</FieldMessage>
        </div>
      ) : null}
    </div>
  )
}
