import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, expect, it, vi } from 'vitest'
import { FileInput } from './file-input'

afterEach(cleanup)

it('reports the selected file', async () => {
  const onChoose = vi.fn()
  render(<FileInput label="Service key" required onChoose={onChoose} />)
  const file = new File(['{}'], 'key.json')
  await userEvent.upload(screen.getByLabelText(/^Service key/), file)
  expect(onChoose).toHaveBeenCalledExactlyOnceWith(file)
})

it('names the description of the file if it is read-only, without a label for a missing input', () => {
  const { container } = render(
    <FileInput label="Service key" required readOnly onChoose={vi.fn()}>
      acme@project
    </FileInput>,
  )
  expect(screen.getByRole('group', { name: 'Service key' }).textContent).toContain('acme@project')
  expect(container.querySelector('label, input')).toBeNull()
})
