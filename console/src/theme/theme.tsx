import '@mantine/core/styles/UnstyledButton.layer.css'
import './mantine.css'
import { createTheme, localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { ChevronDown, Eye, EyeOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { colors } from './colors'

/** The same name as in public/scheme.js, which reads it before the first paint. */
const schemeManager = localStorageColorSchemeManager({ key: 'trunkline.scheme' })

const input = { size: 'sm' }

const opens = {
  ...input,
  rightSection: <ChevronDown size={14} strokeWidth={2} aria-hidden="true" />,
  rightSectionPointerEvents: 'none' as const,
  comboboxProps: { shadow: 'md' },
  maxDropdownHeight: 280,
}

const toggleIcon = ({ reveal }: { reveal: boolean }) => {
  const Icon = reveal ? EyeOff : Eye
  return <Icon size={16} strokeWidth={1.75} aria-hidden="true" />
}

const theme = createTheme({
  primaryColor: 'trunk',
  primaryShade: 6,
  white: '#ffffff',
  black: '#10151c',
  colors,
  fontFamily: 'var(--font)',
  fontFamilyMonospace: 'var(--mono)',
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  components: {
    InputWrapper: { defaultProps: { size: 'sm', inputWrapperOrder: ['label', 'input', 'description', 'error'] } },
    Input: { defaultProps: input },
    TextInput: { defaultProps: input },
    PasswordInput: { defaultProps: { ...input, visibilityToggleIcon: toggleIcon } },
    NumberInput: { defaultProps: { ...input, hideControls: true } },
    Textarea: { defaultProps: { ...input, autosize: true, minRows: 3, maxRows: 16 } },
    Select: { defaultProps: { ...opens, allowDeselect: false } },
    MultiSelect: { defaultProps: opens },
    Autocomplete: { defaultProps: { ...input, comboboxProps: { shadow: 'md' }, maxDropdownHeight: 280 } },
    Checkbox: { defaultProps: { size: 'xs', radius: 'sm' } },
    Radio: { defaultProps: { size: 'xs' } },
    Combobox: { defaultProps: { shadow: 'md', transitionProps: { duration: 0 } } },
    Popover: { defaultProps: { shadow: 'md', transitionProps: { duration: 0 } } },
    Menu: { defaultProps: { shadow: 'md', transitionProps: { duration: 0 } } },
    Tooltip: { defaultProps: { openDelay: 400, withArrow: false, radius: 'sm' } },
  },
})

/**
 * Mantine under our theme, for everything after sign-in. Its variables stand in mantine.css: made at run time they
 * would be a style element, which the content policy refuses.
 */
export const Theme = ({ children, env }: { children: ReactNode; env?: 'test' }) => (
  <MantineProvider
    theme={theme}
    colorSchemeManager={schemeManager}
    defaultColorScheme="auto"
    withCssVariables={false}
    withGlobalClasses={false}
    env={env}
  >
    {children}
  </MantineProvider>
)
