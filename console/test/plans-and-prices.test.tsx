import { screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { hostedEdition } from '../../server/test/hosted-edition'
import { useBackend } from './render'

const { render } = useBackend({ hostedEdition })

describe('plans and prices', () => {
  it('show what each plan grants, and that no payment is set up', async () => {
    await render('/internal/settings/plans', {
      as: 'north',
      features: { hosted: true, trial: { days: 14, callSessions: 5, devices: 25 } },
    })
    const trialRow = within((await screen.findByRole('rowheader', { name: 'Trial' })).closest('tr')!)
    expect(trialRow.getByText('After 14 days')).toBeTruthy()
    expect(trialRow.getByText('25')).toBeTruthy()
    expect(screen.getByText('5 for each call, and 0 to 200 additional')).toBeTruthy()
    expect(screen.getByText('Card payment is not set up')).toBeTruthy()
  })

  it('say that nothing can be bought without prices', async () => {
    await render('/internal/settings/plans', { as: 'north', features: { hosted: true, stripePublishableKey: 'pk' } })
    expect(await screen.findByText('The paid plan cannot be bought')).toBeTruthy()
    expect(screen.getByText(/jambonz_category=voice_call_session/)).toBeTruthy()
  })

  it('are not a screen without the hosted edition', async () => {
    await render('/internal/settings/plans', { as: 'north' })
    expect(await screen.findByText("That page doesn't exist.")).toBeTruthy()
  })
})
