import { catalogue } from '../contract/src/messages/catalogue'
import { messages as general } from '../contract/src/messages/general'
import { accountJourneys } from './catalogue/accounts'
import { peopleJourneys } from './catalogue/people'
import { sessionJourneys } from './catalogue/session'
import { reached } from './support/catalogue'
import { enter } from './support/people'
import { expect, test } from './support/test'

/** Every sentence of the catalogue is read on a screen. The last test sees to that, so all of them run in one worker. */
test.use({ world: 'catalogue' })
test.describe.configure({ mode: 'serial' })

sessionJourneys()
peopleJourneys()
accountJourneys()

test('no screen is there for what awaits one', async ({ page, platform, admin }) => {
  for (const screen of new Set(catalogue.flatMap(({ awaits }) => awaits ?? []))) {
    await enter(page, platform, admin, `/internal/${screen}`)
    await expect(page.getByRole('main').getByText(general.noPage)).toBeVisible()
  }
})

test('nothing of the catalogue is left unsaid', () => {
  const unsaid = catalogue.filter(({ sentence, awaits }) => !awaits && !reached.has(sentence))
  expect(unsaid).toEqual([])
})
