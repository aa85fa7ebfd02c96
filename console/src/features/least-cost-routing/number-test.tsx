import { useQuery } from '@tanstack/react-query'
import { messages } from '@trunkline/contract/messages/lcr'
import { sipGateway } from '@trunkline/contract/resources/sip-gateway'
import type { SipGateway } from '@trunkline/contract/shapes/sip-gateway'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { defaultSipPort } from '@trunkline/contract/telephony/gateways'
import { patternError, normalizeNumber, requiredPrefix } from '@trunkline/contract/telephony/route-pattern'
import { formatForCarrier } from '@trunkline/contract/telephony/lcr'
import { ArrowRight, CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import { useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { request } from '../../lib/client'
import { Box } from '../../ui/form/box'
import { WindowedRows } from '../../ui/table/row-window'
import { Status } from '../../ui/status'
import css from './number-test.module.css'
import { useTried, type Hit } from './matching-route'
import type { RouteValues, TableValues } from './values'

const words = messages.trial

/** Explains why a route does not match the number. */
const whyNot = (pattern: string): string => {
  if (pattern === '') return words.blank
  if (patternError(pattern)) return words.faulty
  const prefix = requiredPrefix(pattern)
  return prefix ? words.notPrefix(prefix) : words.noMatch
}

const outcomeOf = (at: number, hit: Hit, pattern: string) => {
  if (hit === at) return { look: 'hit', icon: CircleCheck, text: words.match }
  if (hit === 'rest' || at < hit) return { look: 'missed', icon: CircleX, text: whyNot(pattern) }
  return { look: 'untested', icon: CircleDashed, text: words.untested }
}

const Test = ({ at, pattern, hit }: { at: number; pattern: string; hit: Hit }) => {
  const { look, icon: Icon, text } = outcomeOf(at, hit, pattern)
  return (
    <li className={css.test} data-look={look}>
      <span className={css.number}>{at + 1}</span>
      <Icon size={14} strokeWidth={2} aria-hidden="true" />
      <span className={css.pattern}>{pattern || '–'}</span>
      <span className={css.outcome}>{text}</span>
    </li>
  )
}

const Tests = ({ patterns, hit }: { patterns: readonly string[]; hit: Hit }) => {
  const list = useRef<HTMLOListElement>(null)
  const isDefault = hit === 'rest'
  const Icon = isDefault ? CircleCheck : CircleDashed
  return (
    <>
      <ol ref={list} className={css.tests} aria-label="Routes tested">
        <WindowedRows
          count={patterns.length}
          height={28}
          scroller={list}
          draw={({ at, before, after }) => (
            <>
              {before > 0 ? <li aria-hidden="true" style={{ height: before }} /> : null}
              {at.map((place) => (
                <Test key={place} at={place} pattern={patterns[place] ?? ''} hit={hit} />
              ))}
              {after > 0 ? <li aria-hidden="true" style={{ height: after }} /> : null}
            </>
          )}
        />
      </ol>
      <p className={css.test} data-look={isDefault ? 'hit' : 'untested'}>
        <span className={css.number}>–</span>
        <Icon size={14} strokeWidth={2} aria-hidden="true" />
        <span>Default</span>
        <span className={css.outcome}>{isDefault ? words.match : words.untested}</span>
      </p>
    </>
  )
}

const addressOf = ({ ipv4, port }: SipGateway) => `${ipv4}:${port ?? defaultSipPort}`

/** The outbound gateways of a carrier with their status, or why no call can go out. */
const Gateways = ({ carrier }: { carrier: VoipCarrier }) => {
  const { voip_carrier_sid } = carrier
  const { data } = useQuery({
    queryKey: ['sip_gateway', 'of', voip_carrier_sid],
    queryFn: async ({ signal }) => {
      const answer = await request(sipGateway.list, { query: { voip_carrier_sid }, signal })
      return Array.isArray(answer) ? answer : answer.data
    },
    staleTime: 30_000,
  })
  if (!data) return null
  const outbound = data.filter((gateway) => gateway.outbound)
  if (outbound.length === 0) return <p className={css.trouble}>{words.noGateway}</p>
  return (
    <>
      <ul aria-label="Outbound gateways">
        {outbound.map((gateway) => (
          <li key={gateway.sip_gateway_sid} className={css.gateway}>
            <span className={css.address}>{addressOf(gateway)}</span>
            <span className={css.quiet}>{gateway.protocol ?? 'udp'}</span>
            <Status kind={gateway.is_active ? 'ok' : 'off'}>{gateway.is_active ? 'Active' : 'Inactive'}</Status>
          </li>
        ))}
      </ul>
      {outbound.some((gateway) => gateway.is_active) ? null : <p className={css.trouble}>{words.noActiveGateway}</p>}
    </>
  )
}

/** How a call goes out over one carrier. */
const Over = ({ carrier, number, named }: { carrier: VoipCarrier; number: string; named: boolean }) => (
  <>
    {named ? <p className={css.next}>{carrier.name}</p> : null}
    <p className={css.quiet}>
      Sent as <span className={css.address}>{formatForCarrier(carrier, number)}</span>
    </p>
    {carrier.is_active ? null : <p className={css.trouble}>{words.inactiveCarrier}</p>}
    <Gateways carrier={carrier} />
  </>
)

interface ResultProps {
  /** The carriers of the matching route, in order. */
  carriers: readonly VoipCarrier[]
  number: string
  /** The LCR is active. */
  active: boolean
}

const Result = ({ carriers, number, active }: ResultProps) => (
  <div className={css.result}>
    <p className={css.carrier} role="status">
      <ArrowRight size={16} strokeWidth={2} aria-hidden="true" />
      {carriers.length > 0 ? words.inOrder(carriers.map(({ name }) => name)) : words.noCarrier}
    </p>
    {carriers.map((carrier) => (
      <Over key={carrier.voip_carrier_sid} carrier={carrier} number={number} named={carriers.length > 1} />
    ))}
    {active ? null : <p className={css.trouble}>{words.inactive}</p>}
  </div>
)

export interface TrialProps {
  number: string
  onNumber: (number: string) => void
  /** All carriers. */
  carriers: readonly VoipCarrier[]
}

/** The carriers of a route without duplicates: the selected one, then the stored others. */
const carriersOf = (first: string | null, entries: RouteValues['entries'], all: readonly VoipCarrier[]) => {
  const sids = first === null ? [] : [first, ...entries.slice(1).map(({ voip_carrier_sid }) => voip_carrier_sid)]
  return [...new Set(sids)].flatMap((sid) => all.find(({ voip_carrier_sid }) => voip_carrier_sid === sid) ?? [])
}

/** The result for the number, from the values in the form. */
const Answer = ({ number, carriers }: Pick<TrialProps, 'number' | 'carriers'>) => {
  const { routes, hit } = useTried(number)
  const [fallback, rest, active] = useWatch<TableValues, ['default_voip_carrier_sid', 'rest', 'is_active']>({
    name: ['default_voip_carrier_sid', 'rest', 'is_active'],
  })
  if (hit === undefined)
    return (
      <p className={css.hint}>
        {normalizeNumber(number) === '' ? 'Enter a number to see which route matches it.' : words.notANumber}
      </p>
    )
  const taken = hit === 'rest' ? { voip_carrier_sid: fallback, entries: rest.entries } : routes[hit]
  return (
    <>
      <Tests patterns={routes.map(({ regex }) => regex.trim())} hit={hit} />
      <Result
        carriers={taken ? carriersOf(taken.voip_carrier_sid, taken.entries, carriers) : []}
        number={number}
        active={Boolean(active)}
      />
    </>
  )
}

/**
 * Try a number: shows the matching route, why earlier routes do not match, and the outbound gateways. Uses the form's
 * values, saved or not.
 */
export const Trial = ({ number, onNumber, carriers }: TrialProps) => (
  <Box title="Test a number">
    <input
      className={css.input}
      aria-label="Number"
      placeholder="+16175550148"
      value={number}
      maxLength={40}
      inputMode="tel"
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onNumber(event.currentTarget.value)}
      // the field is not part of the record: Enter must not save the form
      onKeyDown={(event) => (event.key === 'Enter' ? event.preventDefault() : undefined)}
    />
    <Answer number={number} carriers={carriers} />
  </Box>
)
