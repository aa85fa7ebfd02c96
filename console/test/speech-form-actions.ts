import { screen, waitFor } from '@testing-library/react'
import { expect } from 'vitest'
import { input } from './form-inputs'
import type { Screen } from './render'

/** Waits until a text is shown. */
export const expectText = (text: string) => waitFor(() => expect(screen.queryAllByText(text), text).not.toHaveLength(0))

/** Selects a vendor by its tile. */
export const selectVendor = async (user: Screen['user'], vendor: string) =>
  user.click(await screen.findByLabelText(vendor, { selector: 'input[type=radio]' }))

/** Pastes text at the end of a field. */
export const pasteText = async (user: Screen['user'], label: string, text: string) => {
  await user.click(await input(label))
  await user.paste(text)
}

export const save = (user: Screen['user']) => user.click(screen.getByText('Save'))
