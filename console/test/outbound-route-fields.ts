import { fireEvent, screen, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import type { LcrRoute } from '@trunkline/contract/shapes/lcr'
import { beforeAll, beforeEach } from 'vitest'
import { screens } from '../src/app/screens'
import { useBackend } from './render'

export const routingPath = '/internal/least-cost-routing'
export const page = (sid: string) => `${routingPath}/${sid}/edit`
export const findButton = (name: string) => screen.findByRole('button', { name })
export const findText = (words: string) => screen.findByText(words)
export const pattern = (at: number) =>
  screen.findByRole<HTMLInputElement>('textbox', { name: `Digit prefix or regex of route ${at}` })
export const findCarrier = (at: number) => screen.findByRole('combobox', { name: `Carrier of route ${at}` })
export const type = async (at: number, value: string) => fireEvent.change(await pattern(at), { target: { value } })
export const patterns = () =>
  within(screen.getByRole('list', { name: 'Routes' }))
    .getAllByRole<HTMLInputElement>('textbox')
    .map(({ value }) => value)

/** Selects an option of a list by its text. */
export const choose = async (user: UserEvent, name: string, value: string) => {
  await user.click(await screen.findByRole('combobox', { name }))
  const lists = await screen.findAllByRole('listbox', { name, hidden: true })
  await user.click(await within(lists[0]!).findByRole('option', { name: value, hidden: true }))
}

/** The server with the first provider selected, and requests for tests of outbound call routes. */
export const useRoutingBackend = () => {
  const backend = useBackend()
  const { ask, world } = backend

  beforeAll(async () => {
    // compile the screens before the tests
    const visited = screens.filter(({ path }) => /^\/internal\/(accounts|least-cost-routing)/.test(path))
    await Promise.all([import('../src/app/signed-in-layout'), ...visited.map(({ load }) => load())])
  })
  beforeEach(() => localStorage.setItem('activeServiceProvider', world().providers.north))

  const routesOf = async (lcr_sid: string) =>
    (await ask<LcrRoute[]>('admin', 'GET', `/LcrRoutes?lcr_sid=${lcr_sid}`)).map((route) => ({
      ...route,
      to: route.lcr_carrier_set_entries.map(({ voip_carrier_sid }) => voip_carrier_sid),
    }))

  return {
    ...backend,
    routesOf,
    brief: async (lcr_sid: string) => (await routesOf(lcr_sid)).map(({ regex, priority }) => [regex, priority]),
    /** Gives an LCR these routes and a default route, all over one carrier. */
    fill: async (lcr_sid: string, regexes: string[], voip_carrier_sid = world().shared.north.voip_carrier) => {
      const route = (regex: string, priority: number) => ({
        regex,
        priority,
        lcr_carrier_set_entries: [{ voip_carrier_sid, priority: 0 }],
      })
      const list = [...regexes.map(route), { ...route('.*', 9999), description: 'System Default Route' }]
      await ask('admin', 'PUT', `/Lcrs/${lcr_sid}`, { routes: list })
    },
  }
}
