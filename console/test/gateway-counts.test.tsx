import { QueryClientProvider } from '@tanstack/react-query'
import { render as draw, screen } from '@testing-library/react'
import type { VoipCarrier } from '@trunkline/contract/shapes/voip-carrier'
import { messages } from '@trunkline/contract/messages/carrier'
import { expect, it } from 'vitest'
import { GatewayCounts } from '../src/features/carriers/gateway-counts'
import { makeQueryClient } from '../src/lib/query'
import { useBackend } from './render'

const { render, ask, world } = useBackend()

/** A row as a server gives it that does not count gateways. */
const uncounted = async (sid: string): Promise<VoipCarrier> => {
  const {
    inbound_gateways: _,
    outbound_gateways: __,
    ...row
  } = await ask<VoipCarrier>('north', 'GET', `/VoipCarriers/${sid}`)
  return row
}

const show = async (row: VoipCarrier) => {
  await render('/nowhere', { as: 'provider' })
  draw(
    <QueryClientProvider client={makeQueryClient(() => {})}>
      <GatewayCounts row={row} />
    </QueryClientProvider>,
  )
}

it('asks for the gateways where the row does not count them', async () => {
  await show(await uncounted(world().acme.voip_carrier))
  expect(screen.getByText(messages.checkingGateways)).toBeTruthy()
  expect(await screen.findByText('1 inbound')).toBeTruthy()
  expect(screen.getByText('1 outbound')).toBeTruthy()
})

it('says when they cannot be had', async () => {
  await show({ ...(await uncounted(world().acme.voip_carrier)), voip_carrier_sid: world().corp.voip_carrier })
  expect(await screen.findByText(messages.gatewaysError)).toBeTruthy()
})
