import { fireEvent, screen, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import type { LcrRoute } from '@trunkline/contract/shapes/lcr'
import { beforeAll, beforeEach } from 'vitest'
import { screens } from '../src/app/screens'
import { useBackend } from './render'

export const routingPath = '/internal/least-cost-routing'
export const editPath = (sid: string) => `${routingPath}/${sid}/edit`
export const findButton = (name: string) => screen.findByRole('button', { name })
export const findText = (text: string) => screen.findByText(text)
export const findPatternField = (position: number) =>
  screen.findByRole<HTMLInputElement>('textbox', { name: `Digit prefix or regex of route ${position}` })
export const findCarrierField = (position: number) =>
  screen.findByRole('combobox', { name: `Carrier of route ${position}` })
export const typePattern = async (position: number, text: string) =>
  fireEvent.change(await findPatternField(position), { target: { value: text } })
export const readPatternValues = () =>
  within(screen.getByRole('list', { name: 'Routes' }))
    .getAllByRole<HTMLInputElement>('textbox')
    .map(({ value }) => value)

/** Selects an option of a list by its text. */
export const selectOption = async (user: UserEvent, name: string, text: string) => {
  await user.click(await screen.findByRole('combobox', { name }))
  const listboxes = await screen.findAllByRole('listbox', { name, hidden: true })
  await user.click(await within(listboxes[0]!).findByRole('option', { name: text, hidden: true }))
}

/** Starts the server, selects the first provider, and returns requests for tests of routing tables. */
export const useRoutingBackend = () => {
  const backend = useBackend()
  const { requestAs, testData } = backend

  beforeAll(async () => {
    // compile the screens before the tests
    const routingScreens = screens.filter(({ path }) => /^\/internal\/(accounts|least-cost-routing)/.test(path))
    await Promise.all([import('../src/app/signed-in-layout'), ...routingScreens.map(({ load }) => load())])
  })
  beforeEach(() => localStorage.setItem('activeServiceProvider', testData().providers.north))

  const listRoutes = async (lcrSid: string) =>
    (await requestAs<LcrRoute[]>('admin', 'GET', `/LcrRoutes?lcr_sid=${lcrSid}`)).map((route) => ({
      ...route,
      carrierSids: route.lcr_carrier_set_entries.map(({ voip_carrier_sid }) => voip_carrier_sid),
    }))

  return {
    ...backend,
    listRoutes,
    readPatterns: async (lcrSid: string) => (await listRoutes(lcrSid)).map(({ regex, priority }) => [regex, priority]),
    /** Gives an LCR these routes and a default route, all over one carrier. */
    setRoutes: async (lcrSid: string, regexes: string[], voip_carrier_sid = testData().shared.north.voip_carrier) => {
      const createRoute = (regex: string, priority: number) => ({
        regex,
        priority,
        lcr_carrier_set_entries: [{ voip_carrier_sid, priority: 0 }],
      })
      const routes = [...regexes.map(createRoute), { ...createRoute('.*', 9999), description: 'System Default Route' }]
      await requestAs('admin', 'PUT', `/Lcrs/${lcrSid}`, { routes })
    },
  }
}
