// SPDX-License-Identifier: Apache-2.0
using System;

namespace Dragoman
{
    /// <summary>What the library reports: its status, and its sentence for a person as the message.</summary>
    public sealed class DragomanException : Exception
    {
        /// <summary>What a caller can act on.</summary>
        public Status Status { get; }

        /// <summary>An error as the library reports it, and what it came of.</summary>
        public DragomanException(Status status, string message, Exception cause = null) : base(message, cause)
        {
            Status = status;
        }
    }
}
