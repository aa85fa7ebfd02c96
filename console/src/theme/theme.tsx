import '@mantine/core/styles/UnstyledButton.layer.css'
import './mantine.css'
import { createTheme, MantineContext, MantineProvider, type MantineColorSchemeManager } from '@mantine/core'
import { ChevronDown, Eye, EyeOff } from 'lucide-react'
import { useContext, useState, type ComponentType, type ReactNode } from 'react'
import { colors } from './colors'
import { schemeNow, watchScheme } from './scheme'

/** Mantine is told of the scheme and decides nothing: what it is told it says again, and to choose that anew would never end. */
const schemeManager = (): MantineColorSchemeManager => {
  let stop: (() => void) | undefined
  return {
    get: schemeNow,
    set: () => undefined,
    subscribe: (tell) => {
      stop = watchScheme(() => tell(schemeNow()))
    },
    unsubscribe: () => stop?.(),
    clear: () => undefined,
  }
}

const input = { size: 'sm' }

const opens = {
  ...input,
  rightSection: <ChevronDown size={14} strokeWidth={2} aria-hidden="true" />,
  rightSectionPointerEvents: 'none' as const,
  comboboxProps: { shadow: 'md' },
  checkIconPosition: 'right' as const,
  // the list scrolls itself, so that the keys and screen readers find one scrolling thing
  withScrollArea: false,
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
    Textarea: { defaultProps: { ...input, autosize: true, minRows: 3, maxRows: 16 } },
    Select: { defaultProps: { ...opens, allowDeselect: false } },
    Checkbox: { defaultProps: { size: 'xs', radius: 'sm' } },
    Combobox: { defaultProps: { shadow: 'md', transitionProps: { duration: 0 } } },
    Popover: { defaultProps: { shadow: 'md', transitionProps: { duration: 0 } } },
  },
})

/**
 * Mantine under our theme. Its variables stand in mantine.css: made at run time they would be a style element, which
 * the content policy refuses. Only what holds inputs needs it, so lists and the sign-in page never load it.
 */
export const Theme = ({ children }: { children: ReactNode }) => {
  const [manager] = useState(schemeManager)
  return (
    <MantineProvider
      theme={theme}
      colorSchemeManager={manager}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      {children}
    </MantineProvider>
  )
}

/** The same part, which brings the theme along wherever nothing around it has. */
export const dressed = <Part extends object>(part: Part): Part => {
  const Inner = part as ComponentType<object>
  const Dressed = (props: object) => {
    const around = useContext(MantineContext)
    if (around) return <Inner {...props} />
    return (
      <Theme>
        <Inner {...props} />
      </Theme>
    )
  }
  return Object.assign(Dressed, part)
}
