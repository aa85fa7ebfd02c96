import { useQuery } from '@tanstack/react-query'
import { messages, type CarrierPosition, type CarrierProblem } from '@trunkline/contract/messages/lcr-route'
import { sipGateway } from '@trunkline/contract/resources/sip-gateway'
import type { SipGateway } from '@trunkline/contract/shapes/sip-gateway'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { defaultSipPort } from '@trunkline/contract/telephony/gateways'
import { findPatternError, normalizeNumber, findRequiredPrefix } from '@trunkline/contract/telephony/route-pattern'
import { formatForCarrier } from './matching-route'
import { ArrowRight, CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import { useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { requestList } from '../../lib/request-list'
import { namedQueryKey } from '../../lib/query-keys'
import { Box } from '../../ui/form/box'
import { WindowedRows } from '../../ui/table/windowed-rows'
import { ActiveStatus } from '../../ui/status'
import css from './number-test.module.css'
import { useMatchingRoute, type MatchingRoute } from './matching-route'
import type { RouteValues, LcrValues } from './values'

const texts = messages.numberTest

/** Explains why a route does not match the number. */
const explainMismatch = (pattern: string): string => {
  if (pattern === '') return texts.empty
  if (findPatternError(pattern)) return texts.invalid
  const prefix = findRequiredPrefix(pattern)
  return prefix ? texts.notPrefix(prefix) : texts.noMatch
}

const getRouteTestResult = (index: number, matchingRoute: MatchingRoute, pattern: string) => {
  if (matchingRoute === index) return { status: 'match', icon: CircleCheck, text: texts.match }
  if (matchingRoute === 'default' || index < matchingRoute)
    return { status: 'mismatch', icon: CircleX, text: explainMismatch(pattern) }
  return { status: 'untested', icon: CircleDashed, text: texts.notTested }
}

const RouteTestItem = ({
  index,
  pattern,
  matchingRoute,
}: {
  index: number
  pattern: string
  matchingRoute: MatchingRoute
}) => {
  const { status, icon: Icon, text } = getRouteTestResult(index, matchingRoute, pattern)
  return (
    <li className={css.test} data-status={status}>
      <span className={css.number}>{index + 1}</span>
      <Icon size={14} strokeWidth={2} aria-hidden="true" />
      <span className={css.pattern}>{pattern || '–'}</span>
      <span className={css.outcome}>{text}</span>
    </li>
  )
}

const RouteTestList = ({ patterns, matchingRoute }: { patterns: readonly string[]; matchingRoute: MatchingRoute }) => {
  const list = useRef<HTMLOListElement>(null)
  const isDefault = matchingRoute === 'default'
  const Icon = isDefault ? CircleCheck : CircleDashed
  return (
    <>
      <ol ref={list} className={css.tests} aria-label="Routes tested">
        <WindowedRows
          count={patterns.length}
          rowHeight={28}
          scroller={list}
          render={({ indexes, heightBefore, heightAfter }) => (
            <>
              {heightBefore > 0 ? <li aria-hidden="true" style={{ height: heightBefore }} /> : null}
              {indexes.map((index) => (
                <RouteTestItem
                  key={index}
                  index={index}
                  pattern={patterns[index] ?? ''}
                  matchingRoute={matchingRoute}
                />
              ))}
              {heightAfter > 0 ? <li aria-hidden="true" style={{ height: heightAfter }} /> : null}
            </>
          )}
        />
      </ol>
      <p className={css.test} data-status={isDefault ? 'match' : 'untested'}>
        <span className={css.number}>–</span>
        <Icon size={14} strokeWidth={2} aria-hidden="true" />
        <span>Default</span>
        <span className={css.outcome}>{isDefault ? texts.match : texts.notTested}</span>
      </p>
    </>
  )
}

const formatGatewayAddress = ({ ipv4, port }: SipGateway) => `${ipv4}:${port ?? defaultSipPort}`

interface CarrierResultProps {
  carrier: VoipCarrier
  position: CarrierPosition
}

const Warning = ({ problem, position }: { problem: CarrierProblem; position: CarrierPosition }) => (
  <p className={css.warning}>{texts.unusableCarrier(problem, position)}</p>
)

/** Shows the outbound gateways of a carrier with their status, or why the carrier cannot take a call. */
const OutboundGateways = ({ carrier, position }: CarrierResultProps) => {
  const { voip_carrier_sid } = carrier
  const { data } = useQuery({
    queryKey: namedQueryKey('sip_gateway', 'ofCarrier', voip_carrier_sid),
    queryFn: async ({ signal }) => {
      return (await requestList(sipGateway.list, { query: { voip_carrier_sid }, signal })).rows
    },
    staleTime: 30_000,
  })
  if (!data) return null
  const outboundGateways = data.filter((gateway) => gateway.outbound)
  if (outboundGateways.length === 0) return <Warning problem="noGateway" position={position} />
  return (
    <>
      <ul aria-label="Outbound gateways">
        {outboundGateways.map((gateway) => (
          <li key={gateway.sip_gateway_sid} className={css.gateway}>
            <span className={css.address}>{formatGatewayAddress(gateway)}</span>
            <span className={css.muted}>{gateway.protocol ?? 'udp'}</span>
            <ActiveStatus isActive={gateway.is_active} />
          </li>
        ))}
      </ul>
      {outboundGateways.some((gateway) => gateway.is_active) ? null : (
        <Warning problem="noActiveGateway" position={position} />
      )}
    </>
  )
}

/** Shows the number that the carrier receives, and its outbound gateways. */
const CarrierResult = ({ carrier, position, number }: CarrierResultProps & { number: string }) => (
  <>
    {position === 'only' ? null : <p className={css.carrierName}>{carrier.name}</p>}
    <p className={css.muted}>
      Sent as <span className={css.address}>{formatForCarrier(carrier, number)}</span>
    </p>
    {carrier.is_active ? null : <Warning problem="inactive" position={position} />}
    <OutboundGateways carrier={carrier} position={position} />
  </>
)

const getPosition = (index: number, count: number): CarrierPosition => {
  if (count === 1) return 'only'
  return index === count - 1 ? 'last' : 'notLast'
}

interface MatchResultProps {
  /** The carriers of the matching route, in order. */
  carriers: readonly VoipCarrier[]
  number: string
  /** The LCR is active. */
  isActive: boolean
}

const MatchResult = ({ carriers, number, isActive }: MatchResultProps) => (
  <div className={css.result}>
    <p className={css.carrier} role="status">
      <ArrowRight size={16} strokeWidth={2} aria-hidden="true" />
      {carriers.length > 0 ? texts.inOrder(carriers.map(({ name }) => name)) : texts.noCarrier}
    </p>
    {carriers.map((carrier, index) => (
      <CarrierResult
        key={carrier.voip_carrier_sid}
        carrier={carrier}
        position={getPosition(index, carriers.length)}
        number={number}
      />
    ))}
    {isActive ? null : <p className={css.warning}>{texts.inactive}</p>}
  </div>
)

export interface NumberTestProps {
  number: string
  onNumberChange: (number: string) => void
  /** All carriers. */
  carriers: readonly VoipCarrier[]
}

/** Returns the carriers of a route without duplicates: the selected one, then the stored ones after the first. */
const findCarriers = (
  firstSid: string | null,
  entries: RouteValues['entries'],
  allCarriers: readonly VoipCarrier[],
) => {
  const sids = firstSid === null ? [] : [firstSid, ...entries.slice(1).map(({ voip_carrier_sid }) => voip_carrier_sid)]
  return [...new Set(sids)].flatMap((sid) => allCarriers.find(({ voip_carrier_sid }) => voip_carrier_sid === sid) ?? [])
}

/** The result for the number, from the values in the form. */
const RouteResult = ({ number, carriers }: Pick<NumberTestProps, 'number' | 'carriers'>) => {
  const { routes, matchingRoute } = useMatchingRoute(number)
  const [defaultCarrierSid, storedDefaultRoute, isActive] = useWatch<
    LcrValues,
    ['default_voip_carrier_sid', 'storedDefaultRoute', 'is_active']
  >({
    name: ['default_voip_carrier_sid', 'storedDefaultRoute', 'is_active'],
  })
  if (matchingRoute === undefined)
    return (
      <p className={css.hint}>
        {normalizeNumber(number) === '' ? 'Enter a number to see which route matches it.' : texts.invalidNumber}
      </p>
    )
  const route =
    matchingRoute === 'default'
      ? { voip_carrier_sid: defaultCarrierSid, entries: storedDefaultRoute.entries }
      : routes[matchingRoute]
  return (
    <>
      <RouteTestList patterns={routes.map(({ regex }) => regex.trim())} matchingRoute={matchingRoute} />
      <MatchResult
        carriers={route ? findCarriers(route.voip_carrier_sid, route.entries, carriers) : []}
        number={number}
        isActive={Boolean(isActive)}
      />
    </>
  )
}

/**
 * Shows which route a number matches, why earlier routes do not match, and the outbound gateways. Uses the form's
 * values, saved or not.
 */
export const NumberTest = ({ number, onNumberChange, carriers }: NumberTestProps) => (
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
      onChange={(event) => onNumberChange(event.currentTarget.value)}
      // the field is not part of the record: Enter must not save the form
      onKeyDown={(event) => (event.key === 'Enter' ? event.preventDefault() : undefined)}
    />
    <RouteResult number={number} carriers={carriers} />
  </Box>
)
