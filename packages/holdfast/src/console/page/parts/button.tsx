import type { ComponentProps } from "preact";

type ButtonProps = ComponentProps<"button"> & {
	/** Whether pressing it does nothing now. */
	readonly off: boolean;
};

/** A button that can be off and keep the focus. One that is `disabled` loses it, and the keyboard starts again at the top. */
export function Button({ off, onClick, ...rest }: ButtonProps) {
	return (
		<button
			{...rest}
			aria-disabled={off}
			onClick={(event) => {
				// A form is submitted through its button, by the Enter key in a field too.
				if (off) event.preventDefault();
				else onClick?.(event);
			}}
		/>
	);
}
